# The two commands of the README: `make demo` and `make test`. The rest is for those who work on Aerie.

CARGO ?= cargo
export XDG_RUNTIME_DIR ?= /tmp

.PHONY: demo test lint bench serve system

demo: system ## builds Aerie, runs the service, makes media on sample data, writes demo-output/
	$(CARGO) build --release --package aerie-cli
	./target/release/aerie demo --out demo-output

test: system ## builds and runs every test
	$(CARGO) build --package aerie-cli
	$(CARGO) test --workspace

lint: ## formatting and lints, warnings are errors
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings

bench: system ## measures against peers in the same run and prints ratios
	$(CARGO) build --release --package aerie-cli
	bench/drone_footage.sh

serve: system ## runs the service on 127.0.0.1:8080
	$(CARGO) run --release --package aerie-cli -- serve

# What Aerie needs of the system, installed when it is missing.
PACKAGES := ffmpeg mesa-vulkan-drivers libvulkan1 gcc libc6-dev ca-certificates

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
