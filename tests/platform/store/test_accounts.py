"""Accounts: names that are the same to the eye, passwords, sessions, tokens and the one-time link."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from singleout.platform.refusal import RefusalError
from singleout.platform.store.accounts import (
    SESSION_LASTS,
    account_by_password,
    account_by_sign_in,
    account_by_token,
    close_sign_in,
    make_admin_link,
    make_token,
    note_use,
    open_sign_in,
    revoke_token,
    set_active,
    set_role,
    sign_up,
    use_admin_link,
)
from singleout.platform.store.audit import audit_log
from singleout.platform.store.database import Database
from singleout.platform.store.schema import Base
from tests.support.small_platform import PASSWORD, START, StandingClock


def refused(code: str) -> pytest.RaisesExc[RefusalError]:
    return pytest.RaisesExc(RefusalError, check=lambda error: error.code == code)


def everything(database: Database) -> str:
    """All that the database holds, as text."""
    with database.reading() as session:
        tables = [each.name for each in Base.metadata.sorted_tables]
        return str([session.execute(text(f"SELECT * FROM {each}")).all() for each in tables])


def test_a_password_opens_the_account(database: Database) -> None:
    with database.writing() as session:
        account = sign_up(session, "Ann", PASSWORD)
        assert account_by_password(session, " ANN ", PASSWORD).id == account.id
        for name, password in (("Ann", "wrong password"), ("Nobody", PASSWORD), ("", PASSWORD)):
            with refused("wrong_password"):
                account_by_password(session, name, password)


@pytest.mark.parametrize("name", ["ann", "ANN", " Ann ", "Ａｎｎ"])
def test_names_that_look_alike_are_taken(database: Database, name: str) -> None:
    with database.writing() as session:
        sign_up(session, "Ann", PASSWORD)
        with refused("name_taken"):
            sign_up(session, name, PASSWORD)


@pytest.mark.parametrize("name", ["", "   ", "a" * 61, "a\x00b", "a\u202eb", "a\ud800"])
def test_names_that_can_t_be_shown_are_refused(database: Database, name: str) -> None:
    with database.writing() as session, refused("bad_name"):
        sign_up(session, name, PASSWORD)


def test_short_passwords_are_refused(database: Database) -> None:
    with database.writing() as session, refused("bad_password"):
        sign_up(session, "Ann", "short")


def test_sessions_end(database: Database, clock: StandingClock) -> None:
    with database.writing() as session:
        account = sign_up(session, "Ann", PASSWORD)
        first, second = open_sign_in(session, account), open_sign_in(session, account)
        session.flush()
        close_sign_in(session, first)
        assert account_by_sign_in(session, first) is None
        assert account_by_sign_in(session, second) is not None
        clock.now += SESSION_LASTS
        assert account_by_sign_in(session, second) is None


def test_tokens_can_be_revoked_by_their_owner_only(database: Database) -> None:
    with database.writing() as session:
        ann, bob = sign_up(session, "Ann", PASSWORD), sign_up(session, "Bob", PASSWORD)
        row, secret = make_token(session, ann, "laptop")
        assert account_by_token(session, secret) is not None
        note_use(session, secret)
        assert row.last_used_at == START
        with refused("not_found"):
            revoke_token(session, bob, row.id)
        revoke_token(session, ann, row.id)
        session.flush()
        assert account_by_token(session, secret) is None
        with refused("not_found"):
            revoke_token(session, ann, 2**70)


def test_no_secret_is_in_the_database(database: Database) -> None:
    with database.writing() as session:
        account = sign_up(session, "Ann", PASSWORD)
        secrets = [
            make_token(session, account, "t")[1],
            open_sign_in(session, account),
            make_admin_link(session),
        ]
    held = everything(database)
    assert "Ann" in held
    assert [each for each in (*secrets, PASSWORD) if each in held] == []
    assert "argon2id" in held


def test_the_admin_link_works_once_and_for_a_day(database: Database, clock: StandingClock) -> None:
    with database.writing() as session:
        used, late = make_admin_link(session), make_admin_link(session)
        session.flush()
        assert use_admin_link(session, used, "Root", PASSWORD).role == "admin"
        session.flush()
        with refused("link_used"):
            use_admin_link(session, used, "Root2", PASSWORD)
        clock.pass_by(days=1)
        with refused("link_used"):
            use_admin_link(session, late, "Root3", PASSWORD)
        with refused("link_used"):
            use_admin_link(session, "guess", "Root4", PASSWORD)


def test_whoever_is_switched_off_is_out(database: Database) -> None:
    with database.writing() as session:
        root, ann = sign_up(session, "Root", PASSWORD, "admin"), sign_up(session, "Ann", PASSWORD)
        secret, token = open_sign_in(session, ann), make_token(session, ann, "t")[1]
        set_active(session, root, ann.id, False)
        session.flush()
        assert account_by_sign_in(session, secret) is None
        assert account_by_token(session, token) is None
        with refused("wrong_password"):
            account_by_password(session, "Ann", PASSWORD)


def test_nobody_changes_their_own_role(database: Database) -> None:
    with database.writing() as session:
        root, ann = sign_up(session, "Root", PASSWORD, "admin"), sign_up(session, "Ann", PASSWORD)
        assert set_role(session, root, ann.id, "organiser").role == "organiser"
        with refused("not_allowed"):
            set_role(session, root, root.id, "participant")
        session.flush()
        actions = [(name, row.action) for row, name in audit_log(session)]
    assert actions[0] == ("Root", "make organiser")
