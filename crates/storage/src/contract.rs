//! The behavior that every backend must show, as tests: one line in a backend's test file runs them all.
//!
//! ```text
//! aerie_storage::contract_tests!(open);
//! aerie_storage::media_contract_tests!(open_media);
//! aerie_storage::limiter_contract_tests!(open_limiter);
//! ```
//!
//! `open` is an `async fn(&Path, Arc<dyn Clock>) -> Arc<dyn Store>` that returns an empty store; the folder is the test's own
//! and is removed after it. `open_media` is an `async fn(&Path) -> MediaStore` that returns an empty media store, and
//! `open_limiter` an `async fn(Arc<dyn Clock>) -> Arc<dyn Limiter>` that returns one that has counted nothing. Attributes
//! before the name, such as `#[ignore = "needs a server"]`, are put on every test.
//!
//! To add a test, write it in the module of its concern and list its name below: a test that is not listed is reported as
//! unused.
mod events;
mod fixture;
mod idempotency;
mod limiter;
mod listings;
mod maintenance;
mod markup;
mod media;
mod nodes;
mod operators;
mod packs;
mod queue;
mod remote;
mod retention;
mod sessions;
mod share_links;
mod tenants;
mod truth_pages;
mod uploads;
mod usage;
mod webhooks;

pub use fixture::Fixture;
pub use remote::Remote;

/// Defines an entry point for each test, and the macro that calls them all.
macro_rules! suite {
    ($d:tt $macro:ident $run:ident $open:ident: $($module:ident { $($name:ident,)* })*) => {
        $($(
            #[doc(hidden)]
            pub fn $name(open: impl fixture::$open) {
                fixture::$run(open, $module::$name);
            }
        )*)*

        /// Runs the contract suite on a backend: see [`contract`](crate::contract).
        #[macro_export]
        macro_rules! $macro {
            ($d(#[$d attribute:meta])* $d open:path) => {
                $($(
                    #[test]
                    $d(#[$d attribute])*
                    fn $name() {
                        $crate::contract::$name($d open);
                    }
                )*)*
            };
        }
    };
}

suite! { $ contract_tests run_store OpenStore:
    queue {
        a_submitted_job_is_queued_with_its_input,
        another_organizations_job_is_not_found,
        the_oldest_job_is_claimed_first,
        a_claimed_job_runs_and_is_not_claimed_again,
        a_job_of_another_kind_is_not_claimed,
        a_heartbeat_keeps_the_lease,
        an_expired_lease_is_claimed_by_another_with_a_higher_attempt,
        a_lost_lease_cannot_be_renewed_completed_failed_or_returned,
        a_lease_with_another_worker_or_attempt_is_lost,
        a_completed_job_has_its_output_and_one_usage_event,
        completing_twice_is_refused_and_billed_once,
        a_failed_job_is_not_billed_and_never_completes,
        a_canceled_job_fails_unbilled_and_its_worker_loses_the_lease,
        a_retried_job_stays_running_for_clients_and_waits,
        a_released_run_does_not_count_and_can_be_claimed_at_once,
        after_three_lost_runs_the_job_fails,
        after_three_retried_runs_the_job_is_not_claimed_a_fourth_time,
        a_page_is_newest_first_and_total_counts_what_the_filter_finds,
        jobs_made_in_one_millisecond_keep_their_order,
        an_offset_beyond_the_end_gives_an_empty_page_with_the_total,
        a_deleted_job_is_gone_and_its_lease_with_it_but_not_its_bill,
        many_concurrent_submits_are_all_kept,
        listing_notes_are_of_completed_jobs_of_the_kind_and_organization_oldest_first,
        a_lease_from_before_the_clock_was_set_back_does_not_block_a_job_for_hours,
        organizations_take_turns_however_many_jobs_one_has_queued,
        whoever_submits_one_job_at_a_time_gets_every_second_turn_and_not_all,
        the_kinds_of_an_organization_take_turns,
        claims_of_kinds_that_other_workers_take_cost_no_turn,
        a_job_that_runs_again_takes_its_organizations_turn,
        the_first_job_of_a_kind_does_not_get_its_organization_another_turn,
        a_clock_that_is_set_back_leaves_the_turns_as_they_are,
        an_organization_with_the_weight_3_has_three_turns_for_each_of_the_others,
        weights_delay_nobody_whose_queue_was_empty_and_save_up_no_turns,
        weights_and_plans_that_change_apply_to_the_next_claims,
        no_more_jobs_are_queued_than_the_plan_allows,
        no_job_is_accepted_after_as_many_failed_in_a_day_as_the_plan_allows,
    }
    markup {
        a_markup_that_asks_for_input_is_billed_once_and_not_claimed_again,
        a_lost_lease_cannot_ask_for_input,
        markup_steps_find_only_the_organizations_own_markups,
        a_second_video_of_a_markup_is_refused_while_the_first_is_active,
    }
    tenants {
        a_key_is_found_by_its_hash_until_it_is_revoked,
        keys_are_created_up_to_a_limit_that_revoked_and_expired_ones_do_not_count_in,
        an_unknown_key_cannot_be_revoked,
        a_key_for_no_organization_is_refused,
        changing_an_organization_leaves_its_other_terms_unchanged,
        a_key_comes_with_the_terms_of_its_organization,
        a_key_is_valid_until_the_moment_it_expires,
        a_quota_applies_to_one_utc_month,
        a_failed_job_frees_quota_in_the_month_it_was_submitted_in,
        a_lost_or_deleted_job_frees_quota_and_a_completed_one_does_not,
        a_preview_is_not_billed_and_counts_against_the_quota_until_it_ends,
        a_quota_set_in_mid_month_counts_earlier_jobs,
        concurrent_submits_never_exceed_the_quota,
        duplicates_of_an_active_job_are_refused_if_the_organization_rejects_them,
    }
    idempotency {
        a_repeated_request_submits_nothing,
        of_many_concurrent_requests_with_one_key_one_submits,
        an_answer_is_kept_for_a_day,
        a_recorded_answer_is_not_overwritten,
    }
    usage {
        usage_is_listed_by_day_both_ends_included,
        pages_of_usage_have_no_gaps_or_repetitions,
        usage_is_summed_by_organization_and_type,
    }
    retention {
        media_past_their_retention_are_deleted_and_the_job_is_marked_as_expired,
        a_job_that_is_queued_running_or_needed_by_an_active_video_does_not_expire,
        old_files_that_no_job_needs_are_deleted_and_no_others,
        folders_of_a_deleted_job_are_removed,
        files_that_no_job_needs_are_found_by_rows_without_listing_all_media,
        files_that_are_too_young_are_looked_at_again,
        files_that_cannot_be_deleted_do_not_keep_others_and_are_looked_at_again,
    }
    maintenance {
        a_duty_belongs_to_one_process_until_it_expires,
        a_store_can_be_read_and_written,
        statistics_count_jobs_by_kind_and_status_and_add_up_the_time_of_stages,
        the_first_link_secret_is_kept,
        the_first_certificate_authority_is_kept_beside_the_link_secret,
        concurrent_processes_agree_on_one_link_secret,
        concurrent_processes_agree_on_one_certificate_authority,
    }
    nodes {
        a_node_is_listed_with_its_job_from_its_first_heartbeat_until_it_exits,
        a_node_without_heartbeat_stops_being_live_and_is_forgotten_after_a_day,
    }
    events {
        every_change_of_a_jobs_status_is_an_event_in_order,
        another_organizations_events_and_progress_are_not_shown,
        events_of_concurrent_transactions_are_seen_once_each_by_a_client_that_continues,
        progress_is_shown_while_the_job_runs_and_reported_by_the_holder_of_the_lease_alone,
        old_events_are_removed,
    }
    webhooks {
        an_endpoint_is_added_changed_and_removed,
        another_organizations_endpoint_is_not_found,
        each_event_that_an_endpoint_wants_is_delivered_once,
        a_delivery_is_claimed_by_one_sender_and_again_when_that_is_gone,
        an_endpoint_that_stalls_keeps_no_other_waiting,
        a_failed_delivery_is_due_again_and_an_endpoint_is_disabled_after_a_day_of_failures,
        an_endpoint_that_is_gone_is_disabled_at_once_and_gets_what_waits_when_it_is_enabled,
        a_delivery_is_sent_again_when_it_is_replayed_and_removed_when_it_is_old,
        a_rotated_secret_signs_beside_the_new_one_for_a_day,
    }
    uploads {
        an_upload_has_the_parts_that_continue_it_and_then_its_photo,
        another_organizations_upload_is_not_found,
        an_upload_expires_unless_it_is_continued_or_used,
        bytes_count_in_the_month_and_those_never_received_are_given_back,
        no_more_uploads_are_incomplete_than_the_limit_says,
        of_concurrent_uploads_no_more_are_begun_than_the_month_has_bytes_for,
        equal_uploads_of_an_organization_share_a_file_until_the_last_is_gone,
        of_equal_uploads_that_are_completed_at_once_one_file_is_kept,
    }
    truth_pages {
        a_job_has_one_page_at_a_time_and_another_code_after_it_was_revoked,
        another_organizations_page_is_not_found,
        an_erased_page_has_no_files_and_answers_as_revoked,
        a_page_under_legal_hold_is_revoked_but_neither_erased_nor_expired,
        a_page_expires_with_its_files,
        files_of_a_page_are_kept_after_their_job_expired_and_deleted_when_it_is_erased,
        deleting_a_job_erases_its_page_unless_it_is_held,
        bytes_of_pages_count_until_they_are_erased,
        of_concurrent_requests_for_one_job_all_get_the_same_page,
    }
    listings {
        a_listing_is_kept_changed_by_members_and_deleted,
        another_organizations_listing_is_not_found,
        a_reference_belongs_to_one_listing_of_an_organization,
        listings_are_listed_newest_first_and_found_by_reference,
        an_upload_is_kept_until_no_listing_names_it,
        a_listing_whose_upload_was_deleted_can_still_be_changed,
        jobs_of_a_listing_are_submitted_at_once_and_noted,
        jobs_of_a_listing_are_all_refused_where_one_has_no_room,
        concurrent_submits_for_listings_never_exceed_the_quota,
        a_repeated_request_for_a_listing_submits_nothing,
        every_duplicate_among_the_jobs_of_a_listing_is_named,
    }
    share_links {
        a_link_is_found_by_its_token_until_its_listing_is_deleted,
        an_expired_or_revoked_link_is_still_found_and_takes_no_reviews,
        another_organizations_links_and_reviews_are_not_found,
        of_too_many_links_those_that_work_are_kept,
        a_decision_replaces_the_last_one_on_the_photo_and_comments_are_limited,
        each_review_is_an_event_that_names_it_and_is_sent_to_those_who_want_it,
        of_concurrent_reviews_no_more_are_added_than_the_limit,
    }
    sessions {
        a_session_is_found_with_its_key_until_it_is_ended,
        a_session_is_over_when_it_was_not_used_for_long_and_in_any_case_after_a_while,
        a_session_with_an_unknown_key_is_refused,
        sessions_that_are_over_are_removed_when_others_start,
        sessions_of_operators_are_unknown_among_those_of_clients,
    }
    operators {
        an_operator_key_is_found_by_its_hash_until_it_is_revoked,
        an_operator_key_is_valid_until_the_moment_it_expires,
        an_operator_key_is_no_api_key_and_the_other_way_round,
    }
    packs {
        a_pack_is_used_once_its_files_are_stored_and_until_another_is_published,
        workers_can_go_back_to_an_earlier_pack_and_to_none,
        only_an_unused_pack_is_removed_and_nothing_is_added_meanwhile,
        of_concurrent_changes_one_pack_is_the_current_one,
        a_job_has_the_pack_of_its_last_run_and_only_the_holder_of_the_lease_records_it,
    }
}

suite! { $ media_contract_tests run_media OpenMedia:
    media {
        stored_media_are_read_whole_and_in_ranges,
        a_range_beyond_the_end_is_an_error,
        media_that_were_never_stored_are_not_found,
        the_tag_changes_with_the_content_and_the_time_is_now,
        content_in_memory_is_stored_as_a_file_is,
        an_empty_file_is_stored,
        files_below_at_and_above_the_size_of_a_part_are_stored_and_fetched_whole,
        an_open_file_is_stored_from_where_it_was_read_to,
        a_fetch_does_not_overwrite_a_file,
        a_file_that_cannot_be_read_is_not_stored,
        a_copy_outlives_its_original,
        deleting_a_prefix_leaves_what_is_kept_and_its_neighbors,
        files_are_deleted_by_key_and_missing_ones_are_no_error,
        files_and_prefixes_are_listed,
        the_size_is_that_of_all_organizations_media,
        malformed_keys_are_refused,
    }
}

suite! { $ limiter_contract_tests run_limiter OpenLimiter:
    limiter {
        the_window_rolls_to_the_millisecond,
        a_request_made_after_the_wait_succeeds_and_one_made_a_second_earlier_does_not,
        the_day_ends_at_midnight_utc_and_refusals_do_not_count,
        with_both_used_up_the_longer_wait_is_returned,
        keys_do_not_share_their_limits_and_a_smaller_plan_holds_at_once,
        a_clock_that_is_set_back_does_not_lock_a_key_out,
        a_plan_without_requests_admits_none,
        of_many_concurrent_requests_no_more_are_admitted_than_the_limit,
        every_verdict_is_that_of_a_limiter_in_memory,
        sweeping_removes_nothing_that_counts,
        a_debt_grows_with_each_bad_key_up_to_its_bound_and_shrinks_with_time,
        networks_do_not_share_their_debts_and_sweeping_keeps_them,
    }
}
