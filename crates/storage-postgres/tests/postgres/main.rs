//! Tests on a PostgreSQL server: see `database`. Modules that need one begin with `postgres_`, so that `make test` can leave
//! them to `e2e/postgres.sh`.

#![cfg(test)]

mod database;
mod hammering;
mod postgres_contract;
mod postgres_import;
mod postgres_limits;
mod postgres_nodes;
mod postgres_pooling;
mod postgres_refusals;
mod postgres_upgrade;
