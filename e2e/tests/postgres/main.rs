//! The real binary on a PostgreSQL server, which `AERIE_TEST_POSTGRES` names: see `e2e/postgres.sh`. Modules that need one begin
//! with `postgres_`.

#![cfg(test)]

mod database;
mod installation;
mod postgres_migrate;
mod postgres_packs;
