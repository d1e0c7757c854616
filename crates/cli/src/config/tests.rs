use aerie_domain::JobType;

use super::*;

#[test]
fn the_defaults_are_a_valid_configuration() {
    let config = Config::parse("").unwrap();
    assert_eq!(config.listen.to_string(), "127.0.0.1:8080");
    assert_eq!(config.prices.cents(JobType::DroneFootage), 1500);
    assert!(JobType::ALL.into_iter().all(|kind| config.prices.cents(kind) > 0));
    config.transport().unwrap();
}

#[test]
fn the_memory_limit_of_a_job_is_a_share_of_the_machine_unless_it_is_set() {
    let memory = |text| Config::parse(text).unwrap().job_memory();
    assert_eq!(memory("worker_memory = 700"), 700 << 20);
    assert_eq!(memory("workers = 3"), aerie_confinement::share_of_machine(3));
    assert!((1 << 30..=6 << 30).contains(&memory("")));
}

#[test]
fn a_file_overrides_only_the_keys_that_it_sets() {
    let config = Config::parse("workers = 3\n[prices]\ndrone_footage = 7").unwrap();
    assert_eq!((config.workers, config.prices.cents(JobType::DroneFootage)), (3, 7));
    assert_eq!(config.prices.cents(JobType::VideoClip), 500);
}

#[test]
fn images_from_loopback_are_allowed_only_in_development_unless_a_list_says_otherwise() {
    for (text, expected) in [
        ("", "127.0.0.0/8 ::1/128"),
        ("environment = 'staging'", ""),
        ("environment = 'production'", ""),
        ("[intake]\nallow_networks = []", ""),
        ("environment = 'production'\n[intake]\nallow_networks = ['10.1.0.0/16']", "10.1.0.0/16"),
    ] {
        let networks = Config::parse(text).unwrap().intake_networks();
        let networks: Vec<String> = networks.iter().map(ToString::to_string).collect();
        assert_eq!(networks.join(" "), expected, "{text}");
    }
    assert!(Config::parse("[intake]\nallow_networks = ['10.1.0.0/33']").is_err());
}

#[test]
fn the_console_is_served_unless_it_is_switched_off() {
    assert!(Config::parse("").unwrap().console.enabled);
    assert!(!Config::parse("[console]\nenabled = false").unwrap().console.enabled);
}

#[test]
fn the_plans_of_the_contract_exist_and_others_may_be_added() {
    let config = Config::parse("[plans.large]\nper_minute = 7\nper_day = 9\n[plans.growth]\nper_day = 5").unwrap();
    let limits = |name: &str| config.plans.get(name).map(|plan| (plan.rates.per_minute, plan.rates.per_day));
    assert_eq!((limits("starter"), limits("enterprise")), (Some((30, 1000)), Some((500, 100_000))));
    assert_eq!((limits("growth"), limits("large")), (Some((100, 5)), Some((7, 9))));
    assert!(Config::parse("[plans.half]\nper_minute = 7").is_err());
}

#[test]
fn kinds_need_no_capability_by_default_and_those_of_the_configuration_may_be_spelled_as_in_paths() {
    assert!(JobType::ALL.into_iter().all(|kind| Config::parse("").unwrap().capabilities.allow(kind, &[])));
    let config = Config::parse("[capabilities]\ndrone-footage = 'gpu'").unwrap();
    assert_eq!(config.capabilities.needed_by(JobType::DroneFootage), Some("gpu"));
    let error = Config::parse("[capabilities]\ndrone = 'gpu'").unwrap_err();
    assert!(format!("{error:#}").contains("[capabilities] `drone`"), "{error:#}");
}

#[test]
fn sources_are_off_by_default_and_errors_name_the_source() {
    assert!(Config::parse("").unwrap().sources.imagery.is_empty());
    let city = "[sources.imagery.city]\nurl = 'https://x.example/{z}/{x}/{y}.jpg'\n";
    let config = Config::parse(&format!("{city}attribution = '© City'\nmax_zoom = 20")).unwrap();
    let source = &config.sources.imagery["city"];
    assert_eq!((source.max_zoom, source.tile_size, source.attribution.as_str()), (20, 256, "© City"));
    let error = Config::parse(&format!("{city}attribution = ''")).unwrap_err().to_string();
    assert!(error.starts_with("[sources.imagery.city] attribution must say whom"), "{error}");
}

#[test]
fn an_unknown_key_is_refused_by_name() {
    for (text, name) in [
        ("worker = 3", "worker"),
        ("[store]\nuri = 'x'", "uri"),
        ("[prices]\nballoon = 1", "balloon"),
        ("[plans.starter]\nper_hour = 1", "per_hour"),
        ("[tls]\nfile = 'x'", "file"),
        ("[proxy]\ntrust = []", "trust"),
        ("[connections]\nmost_of_all = 1", "most_of_all"),
        ("[admin]\nport = 1", "port"),
        ("[sources]\nmaps = 1", "maps"),
        ("[media]\nbudget = 1", "budget"),
        ("[metrics]\nnetworks = []", "networks"),
        ("[sources.imagery.a]\nurl = 'http://x/{z}/{x}/{y}'\nattribution = 'x'\nzoom = 3", "zoom"),
    ] {
        let error = Config::parse(text).unwrap_err().to_string();
        assert!(error.contains(&format!("`{name}`")), "{error}");
    }
}

#[test]
fn a_value_of_the_wrong_kind_is_refused() {
    for text in [
        "workers = -1",
        "listen = 'here'",
        "environment = 'prod'",
        "[prices]\nmarkup = -5",
        "[store]\nurl = 'mysql://x'",
        "[store]\nconnections = 0",
        "[media]\nurl = 'gs://x'",
        "[media]\nurl = 's3://'",
        "[media]\nurl = 's3://x'\nbudget_gib = 5.0",
        "[media]\naccess_key_id = 'x'",
        "[media]\ndelivery = 'mail'",
        "[limiter]\nbad_keys_per_minute = 0",
        "base_url = 'http://x/'",
        "log = 'xml'",
        "[media]\nbudget_gib = -1",
        "[media]\nreserve_gib = 'much'",
        "[metrics]\nallow_networks = ['here']",
        "[proxy]\ntrusted = ['proxy.example']",
        "[connections]\nmost = 0",
        "[connections]\nmin_bytes_per_second = 0",
        "[admin]\nlisten = 9464",
    ] {
        assert!(Config::parse(text).is_err(), "{text}");
    }
}

#[test]
fn the_admin_listener_is_on_loopback_by_default_and_in_development_only_on_request() {
    for (text, address) in [
        ("", None),
        ("environment = 'staging'", Some("127.0.0.1:9464")),
        ("environment = 'production'", Some("127.0.0.1:9464")),
        ("environment = 'production'\n[admin]\nlisten = '10.0.0.1:1'", Some("10.0.0.1:1")),
        ("[admin]\nlisten = '127.0.0.1:1'", Some("127.0.0.1:1")),
    ] {
        let config = Config::parse(text).unwrap();
        let given = config.admin_address().map(|address| address.to_string());
        assert_eq!(given.as_deref(), address, "{text}");
        assert_eq!(config.is_admin_configured(), text.contains("[admin]"), "{text}");
    }
}

#[test]
fn the_connection_limits_of_the_defaults_are_those_of_the_transport() {
    let [configured, own] = [Config::parse("").unwrap().connections.limits(), ConnectionLimits::default()];
    assert_eq!(format!("{configured:?}"), format!("{own:?}"));
}

fn check_listen(text: &str) -> Result<(), String> {
    Config::parse(text).unwrap().check_listen().map_err(|error| error.to_string())
}

#[test]
fn plain_http_is_served_only_on_loopback() {
    for environment in ["development", "staging", "production"] {
        for (listen, good) in [("127.0.0.1:1", true), ("[::1]:1", true), ("0.0.0.0:1", false), ("192.168.1.5:1", false)]
        {
            let text = format!("environment = '{environment}'\nlisten = '{listen}'");
            assert_eq!(check_listen(&text).is_ok(), good, "{text}");
        }
    }
}

#[test]
fn other_addresses_need_tls_or_a_trusted_proxy_outside_development() {
    for with in ["[tls]\ncert = 'c.pem'\nkey = 'k.pem'", "[proxy]\ntrusted = ['10.0.0.0/8']"] {
        for (environment, good) in [("development", false), ("staging", true), ("production", true)] {
            let text = format!("environment = '{environment}'\nlisten = '0.0.0.0:1'\n{with}");
            assert_eq!(check_listen(&text).is_ok(), good, "{text}");
        }
    }
    assert_eq!(check_listen("[tls]\ncert = 'c.pem'\nkey = 'k.pem'"), Ok(()));
}

#[test]
fn ineffective_protection_is_refused_with_the_reason() {
    for (text, part) in [
        ("[proxy]\ntrusted = ['127.0.0.1/32']", "trusts no proxy"),
        ("[tls]\ncert = 'c.pem'", "both"),
        ("[tls]\nkey = 'k.pem'", "both"),
        ("base_url = 'http://x'\n[tls]\ncert = 'c.pem'\nkey = 'k.pem'", "https://"),
        ("environment = 'staging'\nbase_url = 'http://x'\n[proxy]\ntrusted = ['10.0.0.0/8']", "https://"),
    ] {
        let refusal = check_listen(text).unwrap_err();
        assert!(refusal.contains(part), "{text}: {refusal}");
    }
}

#[test]
fn a_list_of_networks_that_adds_up_to_every_address_is_refused_by_its_key() {
    for key in ["[proxy] trusted", "[metrics] allow_networks", "[intake] allow_networks"] {
        let table = key.replace(' ', "\n");
        for networks in ["'0.0.0.0/0'", "'0.0.0.0/1', '128.0.0.0/1'", "'::/1', '8000::/1'", "'::ffff:0:0/96'"] {
            let text = format!("environment = 'staging'\n{table} = [{networks}]");
            let error = Config::parse(&text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("{key} covers all IP")) && error.contains("; list only"), "{error}");
        }
        let text = format!("environment = 'staging'\n{table} = ['10.0.0.0/8', '::ffff:192.168.0.0/112']");
        assert!(Config::parse(&text).is_ok());
    }
}

#[test]
fn a_link_secret_is_64_hexadecimal_digits_and_is_never_shown() {
    assert_eq!(Config::parse("").unwrap().link_secret(), None);
    let digits = "0123456789abcdef".repeat(4);
    let config = Config::parse(&format!("[media]\nlink_secret = '{digits}'")).unwrap();
    assert!(config.link_secret().is_some());
    assert!(!format!("{config:?}").contains("0123456789"));
    for bad in [&digits[1..], "zz"] {
        let error = Config::parse(&format!("[media]\nlink_secret = '{bad}'")).unwrap_err().to_string();
        assert!(error.contains("64 hexadecimal digits") && !error.contains(bad), "{error}");
    }
}

#[test]
fn the_password_of_a_database_server_is_never_shown() {
    let text = "[store]\nurl = 'postgres://aerie:s3cr3t@db.example/media'";
    let config = Config::parse(text).unwrap();
    let Database::Postgres(url) = config.database().unwrap() else { panic!("{config:?}") };
    assert_eq!(url.to_string(), "postgres://aerie@db.example:5432/media");
    for shown in [format!("{config:?}"), format!("{url:?}"), config.database_file().unwrap_err().to_string()] {
        assert!(!shown.contains("s3cr3t"), "{shown}");
    }
    for wrong in ["postgres://aerie:s3cr3t@db:port/media", "postgres://a:s3?cr3t@db/media", "postgres:aerie:s3cr3t@db"]
    {
        let error = Config::parse(&format!("[store]\nurl = '{wrong}'")).unwrap_err().to_string();
        assert!(error.starts_with("[store] url") && !error.contains("cr3t"), "{error}");
    }
}

#[test]
fn counting_on_redis_is_refused_and_the_error_names_the_key_to_remove_but_no_password() {
    for url in ["redis://:s3cr3t@cache.example", "valkeys://aerie:s3cr3t@cache.example/1", "memory:"] {
        let in_file = Config::parse(&format!("[limiter]\nurl = '{url}'")).unwrap_err();
        let variable = |name: &str| (name == "AERIE_LIMITER_URL").then(|| url.to_owned());
        let in_variable = Config::parse("").unwrap().take_secrets(variable).unwrap_err();
        for (error, key, remedy) in [
            (in_file, "[limiter] url: ", "; remove the key"),
            (in_variable, "AERIE_LIMITER_URL: ", "; remove the variable"),
        ] {
            let error = format!("{error:#}");
            assert!(error.starts_with(key) && error.ends_with(remedy) && !error.contains("s3cr3t"), "{error}");
            assert!(error.contains("Redis was removed") && error.contains("counted where the database is"), "{error}");
        }
    }
}

#[test]
fn media_can_be_in_a_bucket_and_their_key_is_never_shown() {
    let text = "[media]\nurl = 's3://media/aerie'\nendpoint = 'https://s3.example'\ndelivery = 'redirect'\n\
                access_key_id = 'key'\nsecret_access_key = 's3cr3t'";
    let config = Config::parse(text).unwrap();
    let MediaPlace::Bucket(place) = config.media().unwrap() else { panic!("a bucket") };
    assert_eq!(
        (place.0.to_string().as_str(), place.1.endpoint.as_deref()),
        ("s3://media/aerie", Some("https://s3.example"))
    );
    assert_eq!(config.delivery(), Delivery::Redirect);
    assert!(!format!("{config:?}").contains("s3cr3t"));
    let error = config.media_folder().unwrap_err().to_string();
    assert!(error.contains("s3://media/aerie"), "{error}");
}

#[test]
fn environment_variables_override_secrets() {
    let mut config = Config::parse("").unwrap();
    let digits = "ab".repeat(32);
    let set = |name: &str| match name {
        "AERIE_STORE_URL" => Some("postgres://aerie:s3cr3t@db.example/media".to_owned()),
        "AERIE_LINK_SECRET" => Some(digits.clone()),
        _ => None,
    };
    config.take_secrets(set).unwrap();
    assert!(matches!(config.database().unwrap(), Database::Postgres(_)) && config.link_secret().is_some());
    config.take_secrets(|_| Some(String::new())).unwrap();
    assert!(config.link_secret().is_some(), "an empty variable is one that is not set");
    let wrong = |name: &str| (name == "AERIE_STORE_URL").then(|| "mysql://s3cr3t".to_owned());
    let error = format!("{:#}", config.take_secrets(wrong).unwrap_err());
    assert!(error.contains("AERIE_STORE_URL") && !error.contains("s3cr3t"), "{error}");
}
