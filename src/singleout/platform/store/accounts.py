"""Accounts: signing up and in, sessions of browsers, tokens of scripts, the first admin's one-time link."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from threading import BoundedSemaphore

from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from singleout.platform.refusal import RefusalError
from singleout.platform.store.audit import record
from singleout.platform.store.database import moment, row_by_id
from singleout.platform.store.display_name import checked_name, name_key
from singleout.platform.store.schema import ROLES, AccountRow, OneTimeLinkRow, SignInRow, TokenRow
from singleout.platform.store.secret import new_secret, secret_digest

SHORTEST_PASSWORD, LONGEST_PASSWORD = 10, 200
SESSION_LASTS = timedelta(days=14)
LINK_LASTS = timedelta(days=1)
MOST_TOKENS = 20
USE_IS_NOTED_EVERY = timedelta(minutes=5)
# argon2id as the RFC 9106 recommends where memory is scarce
HASHER = PasswordHash((Argon2Hasher(time_cost=3, memory_cost=65536, parallelism=4),))
# each takes 64 MiB: a crowd at the door must not take the machine's memory
HASHES_AT_ONCE = BoundedSemaphore(4)


def sign_up(session: Session, name: str, password: str, role: str = "participant") -> AccountRow:
    return add_account(session, name, password_hash(password), role)


def password_hash(password: str) -> str:
    """Takes a tenth of a second, as it should: ask for it before a transaction that others wait for."""
    _check_password(password)
    with HASHES_AT_ONCE:
        return HASHER.hash(password)


def add_account(session: Session, name: str, hashed: str, role: str = "participant") -> AccountRow:
    shown, key = checked_name(name), name_key(name)
    if session.scalar(select(AccountRow.id).where(AccountRow.name_key == key)) is not None:
        raise RefusalError("name_taken", "this name is taken; choose another")
    account = AccountRow(
        name=shown, name_key=key, role=role, password_hash=hashed, active=True, created_at=moment(session)
    )  # fmt: skip
    session.add(account)
    session.flush()
    record(session, account, "sign up")
    return account


def _check_password(password: str) -> None:
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        raise RefusalError(
            "bad_password", f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters"
        )


def account_by_password(session: Session, name: str, password: str) -> AccountRow:
    """The same time and the same words whether the name or the password is wrong."""
    account = _by_name(session, name)
    known = account is not None and account.active and account.password_hash is not None
    hashed = account.password_hash if account is not None and known else _hash_of_nothing()
    assert hashed is not None
    with HASHES_AT_ONCE:
        right = HASHER.verify(password[:LONGEST_PASSWORD], hashed)
    if account is None or not known or not right:
        raise RefusalError("wrong_password", "name or password is wrong")
    return account


def record_wrong_password(session: Session, name: str) -> None:
    """For admins to see that somebody guesses; names that nobody has are not worth a line."""
    account = _by_name(session, name)
    if account is not None:
        record(session, None, "wrong password", f"account {account.id}")


def _by_name(session: Session, name: str) -> AccountRow | None:
    try:
        key = name_key(name)
    except RefusalError:
        return None
    return session.scalar(select(AccountRow).where(AccountRow.name_key == key))


@cache
def _hash_of_nothing() -> str:
    return HASHER.hash(new_secret())


def change_password(session: Session, account: AccountRow, hashed: str) -> None:
    """Whoever knew the old one is signed out wherever they are; tokens stay, and are revoked one by one."""
    session.get_one(AccountRow, account.id).password_hash = hashed
    session.execute(delete(SignInRow).where(SignInRow.account_id == account.id))
    record(session, account, "change the password")


def reset_password(session: Session, actor: AccountRow, account_id: int, hashed: str) -> AccountRow:
    """For somebody who forgot theirs: an admin hands them another, which they change."""
    account = row_by_id(session, AccountRow, account_id)
    if account is None or account.id == actor.id:
        raise RefusalError("not_found", "there is no such account, or it is your own")
    account.password_hash = hashed
    session.execute(delete(SignInRow).where(SignInRow.account_id == account.id))
    record(session, actor, "reset the password", f"account {account.id}")
    return account


def open_sign_in(session: Session, account: AccountRow) -> str:
    """A new session of a browser; returns the secret for its cookie, always a new one."""
    secret, now = new_secret(), moment(session)
    session.execute(delete(SignInRow).where(SignInRow.expires_at < now))
    session.add(
        SignInRow(
            account_id=account.id,
            digest=secret_digest(secret),
            created_at=now,
            expires_at=now + SESSION_LASTS,
        )
    )
    record(session, account, "sign in")
    return secret


def account_by_sign_in(session: Session, secret: str) -> AccountRow | None:
    query = (
        select(AccountRow)
        .join(SignInRow, SignInRow.account_id == AccountRow.id)
        .where(SignInRow.digest == secret_digest(secret), SignInRow.expires_at > moment(session))
        .where(AccountRow.active)
    )
    return session.scalar(query)


def close_sign_in(session: Session, secret: str) -> None:
    session.execute(delete(SignInRow).where(SignInRow.digest == secret_digest(secret)))


def make_token(session: Session, account: AccountRow, name: str) -> tuple[TokenRow, str]:
    """The row and the token itself, which is shown this once."""
    if len(tokens_of(session, account)) >= MOST_TOKENS:
        raise RefusalError("bad_request", f"there are {MOST_TOKENS} tokens; revoke one first")
    secret = f"so_{new_secret()}"
    row = TokenRow(
        account_id=account.id,
        name=checked_name(name),
        digest=secret_digest(secret),
        created_at=moment(session),
    )
    session.add(row)
    session.flush()
    record(session, account, "make a token", f"token {row.id}")
    return row, secret


def tokens_of(session: Session, account: AccountRow) -> Sequence[TokenRow]:
    """Those that are still good."""
    query = select(TokenRow).where(TokenRow.account_id == account.id, TokenRow.revoked_at.is_(None))
    return session.scalars(query.order_by(TokenRow.id)).all()


def revoke_token(session: Session, account: AccountRow, token_id: int) -> None:
    row = row_by_id(session, TokenRow, token_id)
    if row is None or row.account_id != account.id:
        raise RefusalError("not_found", "you have no such token")
    row.revoked_at = row.revoked_at or moment(session)
    record(session, account, "revoke a token", f"token {row.id}")


def account_by_token(session: Session, secret: str) -> AccountRow | None:
    query = (
        select(AccountRow)
        .join(TokenRow, TokenRow.account_id == AccountRow.id)
        .where(TokenRow.digest == secret_digest(secret), TokenRow.revoked_at.is_(None), AccountRow.active)
    )
    return session.scalar(query)


def note_use(session: Session, secret: str) -> None:
    """When a token was last used, for its owner to see; not written more often than anybody cares."""
    query = select(TokenRow).where(TokenRow.digest == secret_digest(secret))
    row, now = session.scalar(query), moment(session)
    if row is not None and (row.last_used_at is None or now - row.last_used_at > USE_IS_NOTED_EVERY):
        row.last_used_at = now


def make_admin_link(session: Session) -> str:
    """The secret of a link that makes whoever opens it first an admin."""
    secret, now = new_secret(), moment(session)
    session.add(OneTimeLinkRow(digest=secret_digest(secret), created_at=now, expires_at=now + LINK_LASTS))
    return secret


def use_admin_link(session: Session, secret: str, name: str, password: str) -> AccountRow:
    """Signs up the admin and uses the link up, both or neither."""
    link = session.scalar(
        select(OneTimeLinkRow).where(OneTimeLinkRow.digest == secret_digest(secret)).with_for_update()
    )
    if link is None or link.used_at is not None or link.expires_at <= moment(session):
        raise RefusalError(
            "link_used", "this link was used or is too old; start the server with --admin-link"
        )
    account = sign_up(session, name, password, role="admin")
    # those printed by earlier starts are void with it
    unused = update(OneTimeLinkRow).where(OneTimeLinkRow.used_at.is_(None))
    session.execute(unused.values(used_at=moment(session)))
    record(session, account, "become admin by the one-time link")
    return account


def has_admin(session: Session) -> bool:
    return session.scalar(select(func.count()).where(AccountRow.role == "admin")) != 0


def all_accounts(session: Session) -> Sequence[AccountRow]:
    return session.scalars(select(AccountRow).order_by(AccountRow.id)).all()


def set_role(session: Session, actor: AccountRow, account_id: int, role: str) -> AccountRow:
    """What an admin makes of another account; the last admin stays one."""
    account = row_by_id(session, AccountRow, account_id)
    if account is None or role not in ROLES:
        raise RefusalError("not_found", "there is no such account or role")
    if account.id == actor.id:
        raise RefusalError("not_allowed", "nobody changes their own role; ask another admin")
    account.role = role
    record(session, actor, f"make {role}", f"account {account.id}")
    return account


def set_active(session: Session, actor: AccountRow, account_id: int, active: bool) -> AccountRow:
    """An account that is switched off can't sign in, and its sessions end."""
    account = row_by_id(session, AccountRow, account_id)
    if account is None or account.id == actor.id:
        raise RefusalError("not_found", "there is no such account, or it is your own")
    account.active = active
    if not active:
        session.execute(delete(SignInRow).where(SignInRow.account_id == account.id))
    record(session, actor, "switch on" if active else "switch off", f"account {account.id}")
    return account
