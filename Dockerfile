# The command line with everything compiled: docker build -t singleout . && docker run --rm -v "$PWD:/data" singleout assess shop.csv --user customer
FROM python:3.13-slim AS build
WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY src ./src
ARG EXTRAS=postgres
RUN python -m venv /opt/singleout && /opt/singleout/bin/pip install --no-cache-dir ".[${EXTRAS}]"

FROM python:3.13-slim
COPY --from=build /opt/singleout /opt/singleout
ENV PATH=/opt/singleout/bin:$PATH NUMBA_CACHE_DIR=/var/cache/singleout
# whoever runs it reads what is compiled; files it writes belong to them
RUN useradd --create-home --uid 10001 singleout && mkdir -p "$NUMBA_CACHE_DIR" \
    && singleout warm-up && chmod -R a+rwX "$NUMBA_CACHE_DIR"
USER singleout
WORKDIR /data
ENTRYPOINT ["singleout"]
CMD ["--help"]
