# The command line with everything compiled: docker build -t singleout . && docker run --rm -v "$PWD:/data" singleout assess shop.csv --user customer
FROM python:3.13-slim AS build
WORKDIR /build
COPY pyproject.toml setup.py README.md LICENSE ./
COPY build_backend ./build_backend
COPY src ./src
ARG EXTRAS=postgres
RUN python -m venv /opt/singleout && /opt/singleout/bin/pip install --no-cache-dir ".[${EXTRAS}]"

FROM python:3.13-slim
COPY --from=build /opt/singleout /opt/singleout
ENV PATH=/opt/singleout/bin:$PATH NUMBA_CACHE_DIR=/var/cache/singleout
# the wheel came with its loops compiled; a processor that they do not fit keeps its own
RUN useradd --create-home --uid 10001 singleout && mkdir -p "$NUMBA_CACHE_DIR" && chown singleout "$NUMBA_CACHE_DIR"
USER singleout
WORKDIR /data
ENTRYPOINT ["singleout"]
CMD ["--help"]
