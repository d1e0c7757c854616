//! The real binary, driven over HTTP. The tests mostly wait for it.

#![cfg(test)]

mod backups;
mod base_path;
mod campaigns;
mod confinement;
mod credentials;
mod database;
mod events;
mod footage;
mod furniture;
mod installation;
mod keeping;
mod kills;
mod markup;
mod measurements;
mod online;
mod operations;
mod pages;
mod photos;
mod postgres_migrate;
mod postgres_packs;
mod postgres_serving;
mod service;
mod staged_room;
mod tenancy;
mod transport;
mod workers;
