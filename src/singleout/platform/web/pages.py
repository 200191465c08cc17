"""All pages of the platform, in one router."""

from __future__ import annotations

from fastapi import APIRouter

from singleout.platform.web import (
    account_pages,
    admin_pages,
    attack_pages,
    board_pages,
    contest_pages,
    metric_pages,
    organiser_pages,
    static_files,
    submission_pages,
)

router = APIRouter()
# an address like /contests/new must not be taken for a contest
for each in (
    static_files, account_pages, admin_pages, organiser_pages, contest_pages, metric_pages, submission_pages,
    board_pages, attack_pages,
):  # fmt: skip
    router.include_router(each.router)
