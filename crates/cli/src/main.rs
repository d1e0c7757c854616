//! `aerie`: the server, its workers, and the tools around them.
//!
//! # Invariants
//!
//! - Each run of an engine is a process of its own, which ends with the service. A crash, a hang or lack of memory costs one attempt.
//!   Tests: `a_worker_that_ends_by_an_error_is_restarted_until_it_is_to_stop`; in `e2e`:
//!   `an_engine_that_dies_costs_one_attempt_and_not_its_worker`,
//!   `a_frozen_engine_does_not_keep_the_server_from_stopping_and_does_not_outlive_it`,
//!   `an_engine_dies_with_its_server_and_the_job_runs_again`.
//! - A process opens `aerie-engine` once; a file that replaces it is used after a restart. A missing program is reported with the
//!   remedy. Tests in `e2e`: `a_service_whose_engine_is_replaced_goes_on_with_the_one_that_it_opened`,
//!   `without_the_program_that_makes_media_everything_says_what_to_install`,
//!   `without_the_program_that_signs_everything_says_what_to_install`.
//! - Only files that a child made in its own folder are published. Test: `only_own_files_in_the_output_folder_are_published`.
//! - A worker claims only kinds that it is configured for and capable of; with several workers, one takes only quick kinds. Tests in
//!   `e2e`: `a_worker_claims_only_its_kinds_and_those_that_it_is_capable_of`, `a_photo_does_not_wait_behind_a_video`.
//! - A backup is verified whole before a restore changes anything. Its manifest is written last and has the checksum of every file.
//!   Tests: `a_manifest_reads_as_it_was_written_and_any_changed_letter_is_noticed`,
//!   `a_manifest_with_a_path_outside_the_backup_is_refused`; in `e2e`:
//!   `a_damaged_backup_is_refused_with_the_file_named_and_changes_nothing`,
//!   `a_backup_of_a_running_server_restores_every_byte_and_keys_and_links_keep_working`,
//!   `every_command_refuses_a_database_or_backup_of_a_build_before_0_1_0_with_what_to_do`,
//!   `a_lost_or_emptied_database_is_not_replaced_by_a_new_one`.
//! - A migration to other backends is complete or changes nothing: media first, then all rows in one transaction. The source is opened
//!   read-only. Tests in `e2e`: `an_installation_is_migrated_whole_although_the_migration_is_killed_again_and_again`,
//!   `a_migration_does_not_finish_while_media_are_missing_unless_that_is_allowed`,
//!   `a_source_that_changes_meanwhile_or_afterwards_is_not_migrated`,
//!   `a_row_that_the_target_stores_differently_is_named_and_nothing_stays`.
//! - Readiness reads and writes what requests do. Tests:
//!   `after_a_failed_write_every_check_of_a_bucket_writes_until_one_succeeds_and_then_few_do`; in `e2e`:
//!   `a_damaged_database_and_a_full_disk_show_in_readiness`.
//! - With a PostgreSQL URL, no node creates a SQLite database. Test in `e2e`:
//!   `workers_fetch_the_published_pack_and_use_a_new_one_without_a_restart`.
//! - No error, log line or `Debug` shows the password of the database. No log shows the secret of links, and new files are private.
//!   Tests: `the_password_of_a_database_server_is_never_shown`; in `storage-postgres`: `a_malformed_url_is_refused_without_quoting_it`;
//!   in `e2e`: `links_stay_valid_in_a_restored_backup_and_no_log_shows_their_secret`,
//!   `what_the_server_a_backup_and_a_restore_create_is_private_whatever_the_umask`,
//!   `a_data_folder_shared_with_its_group_stays_shared_and_others_get_nothing`.
//! - No text of a client controls the operator's terminal. Tests: `values_cannot_move_the_cursor_or_forge_a_line_in_either_format`; in
//!   `e2e`: `names_and_addresses_cannot_control_the_operators_terminal`.
//! - A configured list of networks never adds up to everybody, and the shipped configuration hides the metrics from clients. Tests:
//!   `networks_that_add_up_to_everybody_are_refused`; in `e2e`: `a_server_that_would_trust_everybody_does_not_start`,
//!   `clients_of_the_shipped_configuration_cannot_read_the_metrics_and_monitoring_can`.
mod addresses;
mod admin_listener;
mod arguments;
mod commands;
mod config;
mod copying;
mod data;
mod engine_child;
mod escape;
mod fault;
mod furniture;
mod generate;
mod global;
mod interrupt;
mod logging;
mod manifest;
mod measuring;
mod migration;
mod print;
mod probe;
mod registration;
mod signing;
mod sweeping;
mod table;
mod verification;
mod verifying;
mod watching;
mod worker_admin;
mod workers;

use std::process::ExitCode;

use aerie_engine_api::describe;
use clap::Parser;

fn main() -> ExitCode {
    // Wrong usage ends here, with exit code 2.
    let arguments = arguments::Arguments::parse();
    match commands::run(arguments) {
        Ok(code) => match print::failure() {
            None => code,
            Some(why) => {
                print::error(&format!("cannot write the result to stdout: {why}"));
                ExitCode::from(1)
            }
        },
        Err(error) => {
            print::error(&describe(&*error));
            ExitCode::from(1)
        }
    }
}
