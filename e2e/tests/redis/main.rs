//! The real binary with a Redis server, which each test starts: see `e2e/redis.sh`. Modules that need one begin with `redis_`.

#![cfg(test)]

mod redis_serving;
mod server;
