"""The platform as one command: the web server and its workers, started and ended together."""

from __future__ import annotations

import gc
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace

from singleout.errors import InputError
from singleout.platform.settings import Settings
from singleout.platform.store.accounts import has_admin, make_admin_link
from singleout.platform.store.migration import open_platform
from singleout.platform.web.app import create_app
from singleout.platform.worker.worker_processes import WorkerProcesses

ADMIN_LINK = "/admin-link"
ANY_ADDRESS = ("0.0.0.0", "::", "")


@dataclass(frozen=True)
class Doors:
    """Where a server listens, and by which names browsers may ask for it."""

    host: str = "127.0.0.1"
    port: int = 8000
    names: tuple[str, ...] = ()

    def url(self, port: int, *, https: bool) -> str:
        name = self.names[0] if self.names else "127.0.0.1" if self.host in ANY_ADDRESS else self.host
        shown = f"[{name}]" if ":" in name else name
        return f"https://{name}" if https else f"http://{shown}:{port}"

    def listener(self) -> socket.socket:
        family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM)
        try:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind((self.host, self.port))
            listener.listen(128)
        except (OSError, UnicodeError) as error:
            listener.close()
            reason = (getattr(error, "strerror", None) or "is no name of a machine").lower()
            raise InputError(f"{self.host}:{self.port}: {reason}; choose another --host or --port") from error
        return listener


def serve(
    settings: Settings, doors: Doors, *, workers: int, tell: Callable[[str], None], admin_link: bool = False
) -> None:
    """Until it is interrupted; what a worker was at is given back to the queue."""
    import uvicorn

    settings = replace(settings, hosts=(*settings.hosts, *_names(doors)))
    with doors.listener() as listener:
        app = create_app(settings)
        port = listener.getsockname()[1]
        url = doors.url(port, https=settings.https)
        tell(f"the platform is at {url}")
        link = _admin_link(settings, again=admin_link)
        if link is not None:
            tell(f"become its admin, once and within a day: {url}{ADMIN_LINK}/{link}")
        processes = WorkerProcesses(settings, workers)
        processes.start()
        try:
            freeze_what_is_loaded()
            # no access log: addresses of pages may hold a secret
            config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
            uvicorn.Server(config).run(sockets=[listener])
        finally:
            processes.stop()


def freeze_what_is_loaded() -> None:
    """Modules stay: a collection of garbage on the way of a page need not look through all of them."""
    gc.collect()
    gc.freeze()


def _names(doors: Doors) -> tuple[str, ...]:
    if doors.names:
        return doors.names
    return () if doors.host in ANY_ADDRESS else (doors.host,)


def _admin_link(settings: Settings, *, again: bool) -> str | None:
    """For the first start, or when it is asked for."""
    database = open_platform(settings.database)
    try:
        with database.writing() as session:
            return make_admin_link(session) if again or not has_admin(session) else None
    finally:
        database.close()
