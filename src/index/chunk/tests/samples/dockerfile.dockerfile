# syntax=docker/dockerfile:1
ARG GO_VERSION=1.22

# Compiles the shop.
FROM --platform=linux/amd64 registry.example.org:5000/team/golang:${GO_VERSION}-alpine AS build
ENV CGO_ENABLED=0 GOFLAGS="-mod=vendor -trimpath"
WORKDIR /src
COPY go.mod go.sum ./
# Downloads first, so that it is cached.
RUN go mod download && \
    # a comment inside
    go build -o /shop ./cmd/shop
RUN <<EOF
FROM_here is no instruction
echo $GO_VERSION
EOF

FROM build AS test
RUN go test ./...

FROM alpine:3.20@sha256:abc
ENV PORT 8080
COPY --from=build /shop /usr/bin/shop
COPY docker/entrypoint.sh /
EXPOSE ${PORT}
ENTRYPOINT ["/entrypoint.sh"]
