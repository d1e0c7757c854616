//! Tests on Redis servers that they start, kill and freeze: see `server`. Modules that need one begin with `redis_`, so that
//! `make test` can leave them to `e2e/redis.sh`.

#![cfg(test)]

mod redis_away;
mod redis_contract;
mod redis_limits;
mod redis_refusals;
mod server;
