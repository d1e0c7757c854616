//! `aerie serve`: the API, with workers.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use aerie_api::{
    ApiState, BadKeys, ConnectionLimits, Fetching, InProgress, Metrics, OperatorConsole, Streams, Transport, TruthPages,
};
use aerie_domain::JobType;
use aerie_storage::NodeRole;
use aerie_webhooks::Sender;
use anyhow::Context;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::net::TcpListener;
use tokio::sync::{Notify, watch};

use crate::addresses::OnThreads;
use crate::admin_listener;
use crate::arguments::{Global, Serve};
use crate::commands::doctor::ServerDoctor;
use crate::config::Config;
use crate::config::capabilities::path_name;
use crate::data::Data;
use crate::engine_child::{build_sample_town, check_engine};
use crate::measuring::InChild;
use crate::print;
use crate::registration::{self, Registration};
use crate::signing;
use crate::sweeping::Sweeper;
use crate::verifying::VerifyInChild;
use crate::watching::Watching;
use crate::workers::Workers;

/// How long work that blocks threads may take when the server has stopped.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

pub(crate) fn run(mut config: Config, global: &Global, options: &Serve) -> anyhow::Result<ExitCode> {
    config.listen = options.listen.unwrap_or(config.listen);
    config.workers = options.workers.unwrap_or(config.workers);
    let transport = config.transport()?;
    allow_open_files();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let served = runtime.block_on(serve(&config, global, options, transport));
    // A check of drivers or a copy of media may still block a thread; children end with their threads.
    runtime.shutdown_timeout(STOP_TIMEOUT);
    served?;
    Ok(ExitCode::SUCCESS)
}

async fn serve(config: &Config, global: &Global, options: &Serve, transport: Transport) -> anyhow::Result<()> {
    // Before anything is started, so that a signal during start-up also shuts down cleanly.
    let mut stop = Stop::listen()?;
    check_engine().map_err(anyhow::Error::msg)?;
    let data = Data::open(config).await?;
    let listener = TcpListener::bind(config.listen)
        .await
        .with_context(|| format!("cannot listen on {}; choose another address with --listen", config.listen))?;
    let address = listener.local_addr()?;
    let admin_listener = admin_listener::listen(config).await?;
    let admin_address = admin_listener.as_ref().map(TcpListener::local_addr).transpose()?;
    let scheme = if config.has_tls() { "https" } else { "http" };
    let own_url = format!("{scheme}://{address}");
    if config.base_url.is_empty() && (config.behind_proxy() || address.ip().is_unspecified()) {
        tracing::warn!(
            "base_url is not set: media links will begin with {own_url}, which clients may not be able to reach"
        );
    }
    let base_url = if config.base_url.is_empty() { own_url.clone() } else { config.base_url.clone() };

    let wakes: Vec<Arc<Notify>> = (0..config.workers).map(|_| Arc::default()).collect();
    let woken = wakes.clone();
    let state = ApiState {
        store: Arc::clone(&data.store),
        media: data.media.clone(),
        delivery: config.delivery(),
        links: data.links(config).await?,
        clock: Arc::clone(&data.clock),
        prices: config.prices.clone(),
        plans: config.plans.clone(),
        limiter: data.limiter(config)?,
        bad_keys: BadKeys::new(config.limiter.bad_keys_per_minute),
        in_progress: InProgress::default(),
        fetching: Fetching::default(),
        measuring: Arc::new(InChild::new(data.media.clone(), &config.data_dir)),
        addresses: Arc::new(OnThreads::start(&data.store, &data.media, &config.data_dir, build_sample_town)?),
        base_url: base_url.clone(),
        console: config.console.enabled,
        environment: config.environment,
        intake: config.intake().map_err(anyhow::Error::msg)?,
        webhooks: config.poster().map_err(anyhow::Error::msg)?,
        profiles: Arc::new(config.truth_pages.profiles()?),
        truth_pages: truth_pages(config, &data, &base_url).await?,
        streams: Streams::default(),
        capacity: Arc::new(data.capacity(config)),
        readiness: Arc::default(),
        metrics: Arc::new(Metrics::new(config.environment)),
        metrics_readers: config.metrics_readers(),
        submitted: Arc::new(move || woken.iter().for_each(|wake| wake.notify_one())),
    };
    warn_of_unclaimed_kinds(config, &options.capability);
    let kinds: Vec<JobType> =
        JobType::ALL.into_iter().filter(|kind| config.capabilities.allow(*kind, &options.capability)).collect();
    let workers = Workers::start(config, &kinds, &wakes, &state.metrics)?;
    let sweeper = Sweeper {
        store: Arc::clone(&data.store),
        media: data.media.clone(),
        local_media: data.local_media.clone(),
        clock: Arc::clone(&data.clock),
        data_dir: config.data_dir.clone(),
        every: config.sweep_every(),
    };
    let watching =
        Watching::start(&state.store, &state.limiter, config, &state.capacity, &state.readiness, sweeper).await?;
    let name = registration::unique_name(&*data.clock);
    let no_pack = watch::Sender::new(None).subscribe();
    let registration = Registration::start(&data.store, name, NodeRole::Api, Vec::new(), no_pack);
    let state = Arc::new(state);
    let (stop_serving, stopped) = watch::channel(());
    let stopped = || {
        let mut stopped = stopped.clone();
        async move {
            let _ = stopped.changed().await;
        }
    };
    let sender =
        Sender { store: Arc::clone(&data.store) as _, poster: state.webhooks.clone(), clock: Arc::clone(&data.clock) };
    let sender = tokio::spawn(sender.run(stopped()));
    let server = aerie_api::serve(listener, aerie_api::router(Arc::clone(&state)), transport, stopped());
    let mut server = tokio::spawn(server);
    let operators = config.console.enabled.then(|| {
        let doctor = Arc::new(ServerDoctor(config.clone()));
        Arc::new(OperatorConsole::new(Arc::clone(&state), doctor, global.config.clone()))
    });
    let admin = admin_listener.map(|listener| {
        let transport = Transport { limits: ConnectionLimits::admin(), ..Transport::plain() };
        tokio::spawn(aerie_api::serve(
            listener,
            aerie_api::admin_router(state.operations(), operators),
            transport,
            stopped(),
        ))
    });
    let admin_address = admin_address.map(tracing::field::display);
    tracing::info!(%address, admin = admin_address, environment = ?config.environment, data = %config.data_dir.display(), "serving");
    print::line(&format!("listening on {own_url}"));

    let ended = tokio::select! {
        ended = &mut server => {
            workers.stop().await;
            ended
        }
        () = stop.requested() => {
            tracing::info!("stopping: finishing requests in progress, workers release their jobs");
            drop(stop_serving);
            drop(watching);
            let (ended, ()) = tokio::join!(&mut server, workers.stop());
            sender.await?;
            if let Some(admin) = admin {
                admin.await?;
            }
            ended
        }
    };
    registration.end().await;
    ended?;
    tracing::info!("stopped");
    Ok(())
}

/// Public pages, whose Content Credentials are checked against the certificate that signs here.
async fn truth_pages(config: &Config, data: &Data, base_url: &str) -> anyhow::Result<TruthPages> {
    let trusted = match config.credentials.enabled {
        true => signing::certificate(config, &*data.store).await.map_err(|error| {
            tracing::warn!(error = format!("{error:#}"), "truth pages do not know the certificate that signs here");
        }),
        false => Err(()),
    };
    let verifying = VerifyInChild::new(data.media.clone(), config, trusted.ok());
    let settings = &config.truth_pages;
    let per_minute = settings.requests_per_minute.get();
    Ok(TruthPages::new(settings.public_url(base_url), settings.keep(), per_minute, Arc::new(verifying)))
}

/// Logs which kinds of job no worker of this server claims, because they need a capability that its workers lack.
fn warn_of_unclaimed_kinds(config: &Config, capabilities: &[String]) {
    for unused in config.capabilities.unused(capabilities) {
        tracing::warn!("no kind of job needs the capability `{unused}`: check --capability and [capabilities]");
    }
    let lacking = |kind: &JobType| config.workers > 0 && !config.capabilities.allow(*kind, capabilities);
    for kind in JobType::ALL.into_iter().filter(lacking) {
        let needed = config.capabilities.needed_by(kind).unwrap_or_default();
        tracing::warn!(
            "no worker of this server claims {} jobs, which need the capability `{needed}` ([capabilities]): start this server \
             or another worker with --capability {needed}",
            path_name(kind)
        );
    }
}

/// Raises the limit on open files as far as the system allows: shells often set 1024, fewer than `[connections] most` needs.
fn allow_open_files() {
    let limit = getrlimit(Resource::Nofile);
    if let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }) {
        tracing::warn!(%error, "cannot raise the limit on open files");
    }
}

/// SIGTERM and SIGINT.
struct Stop {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

impl Stop {
    fn listen() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn requested(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}
