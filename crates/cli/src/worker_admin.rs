//! `aerie worker --admin`: the listener for monitoring a worker.

use std::net::SocketAddr;
use std::sync::Arc;

use aerie_api::{ConnectionLimits, Metrics, Operations, Readiness, Transport, admin_router};
use anyhow::Context;
use tokio::net::TcpListener;
use tokio::sync::watch;

use crate::config::Config;
use crate::data::Data;
use crate::watching::Watching;

/// Serves `/healthz`, `/readyz` and `/metrics` until it is dropped.
pub(crate) struct WorkerAdmin {
    _watching: Watching,
    _stop: watch::Sender<()>,
}

impl WorkerAdmin {
    /// Listens on `address`. `busy`: whether the worker runs a job.
    ///
    /// # Errors
    /// When the address cannot be listened on.
    pub(crate) async fn start(
        address: SocketAddr,
        config: &Config,
        data: &Data,
        mut busy: watch::Receiver<bool>,
    ) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(address)
            .await
            .with_context(|| format!("cannot listen on {address}; choose another address with --admin"))?;
        let address = listener.local_addr()?;
        let readiness = Arc::new(Readiness::default());
        let watching = Watching::start_worker(&data.store, config, &data.media, &readiness).await?;
        let metrics = Arc::new(Metrics::of_worker(config.environment));
        let operations = Operations {
            store: Arc::clone(&data.store),
            media: data.media.clone(),
            clock: Arc::clone(&data.clock),
            environment: config.environment,
            capacity: Arc::new(data.capacity(config)),
            readiness,
            metrics: Arc::clone(&metrics),
            metrics_readers: config.metrics_readers(),
        };
        tokio::spawn(async move {
            while busy.changed().await.is_ok() {
                metrics.worker_busy(*busy.borrow_and_update());
            }
        });
        let (stop, mut stopped) = watch::channel(());
        let stopped = async move {
            let _ = stopped.changed().await;
        };
        let transport = Transport { limits: ConnectionLimits::admin(), ..Transport::plain() };
        tokio::spawn(aerie_api::serve(listener, admin_router(operations, None), transport, stopped));
        tracing::info!(admin = %address, "serving");
        Ok(Self { _watching: watching, _stop: stop })
    }
}
