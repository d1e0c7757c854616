# The two commands of the README: `make demo` and `make test`. The rest is for those who work on Aerie.

CARGO ?= cargo
TARGET := $(or $(CARGO_TARGET_DIR),target)
VENV := $(abspath $(TARGET))/venv
export XDG_RUNTIME_DIR ?= /tmp

.PHONY: demo test conformance lint bench serve dist system

demo: system ## builds Aerie, runs the service, makes media on sample data, writes demo-output/
	$(CARGO) build --release --package aerie-cli
	./target/release/aerie demo --out demo-output

test: system $(VENV)/ready ## builds and runs every test
	$(CARGO) build --package aerie-cli
	$(CARGO) test --workspace
	AERIE_BIN=$(abspath $(TARGET))/debug/aerie VENV=$(VENV) e2e/conformance.sh 10 300
	AERIE_BIN=$(abspath $(TARGET))/debug/aerie VENV=$(VENV) e2e/clients.sh

conformance: system $(VENV)/ready ## asks a running server at least 10,000 things that its OpenAPI document allows or forbids
	$(CARGO) build --package aerie-cli
	AERIE_BIN=$(abspath $(TARGET))/debug/aerie VENV=$(VENV) e2e/conformance.sh 1500 10000

lint: ## formatting and lints, warnings are errors
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings

bench: system ## measures against peers in the same run and prints ratios
	$(CARGO) build --release --package aerie-cli
	bench/drone_footage.sh

serve: system ## runs the service on 127.0.0.1:8080
	$(CARGO) run --release --package aerie-cli -- serve

dist: ## packs the release binary with its manual, units and documents: dist/aerie-VERSION-ARCH.tar.gz
	$(CARGO) build --release --locked --package aerie-cli
	packaging/dist.sh target/release/aerie dist

# What Aerie needs of the system, installed when it is missing.
PACKAGES := ffmpeg mesa-vulkan-drivers libvulkan1 gcc libc6-dev ca-certificates curl jq gdal-bin

# What the tests need of Python, and Node for the TypeScript client, in a folder of its own.
$(VENV)/ready: e2e/requirements.txt
	@python3 -c 'import ensurepip, venv' 2>/dev/null || $(MAKE) system PACKAGES='python3 python3-venv'
	python3 -m venv --clear $(VENV)
	$(VENV)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	touch $@

system:
	@missing=""; \
	for package in $(PACKAGES); do \
	  dpkg-query -W -f='$${Status}' $$package 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$package"; \
	done; \
	if [ -n "$$missing" ]; then \
	  if ! command -v apt-get >/dev/null; then \
	    command -v ffmpeg >/dev/null && exit 0; \
	    echo "Aerie needs ffmpeg (with libx264) and a Vulkan driver; install them with your package manager."; exit 1; \
	  fi; \
	  if [ "$$(id -u)" = 0 ]; then sudo=""; \
	  elif command -v sudo >/dev/null; then sudo="sudo"; \
	  else echo "Aerie needs these packages; please install them as root: apt-get install$$missing"; exit 1; fi; \
	  echo "installing$$missing"; \
	  $$sudo apt-get update -qq && DEBIAN_FRONTEND=noninteractive $$sudo apt-get install -y -qq --no-install-recommends $$missing; \
	fi
