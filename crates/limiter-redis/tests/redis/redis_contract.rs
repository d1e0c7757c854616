//! The contract of every limiter, on Redis.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use aerie_domain::{Clock, KeyId, RateLimits};
use aerie_limiter_redis::RedisLimiter;
use aerie_storage::{Limiter, StoreError, Verdict};
use async_trait::async_trait;

use crate::server::{Nowhere, PATIENT, Server};

/// A limiter with a server of its own.
struct OnServer {
    limiter: RedisLimiter,
    _server: Server,
}

#[async_trait]
impl Limiter for OnServer {
    async fn request_admit(&self, key: KeyId, limits: RateLimits) -> Result<Verdict, StoreError> {
        self.limiter.request_admit(key, limits).await
    }

    async fn bad_key_add(&self, network: IpAddr, cost: Duration, most: Duration) -> Result<Duration, StoreError> {
        self.limiter.bad_key_add(network, cost, most).await
    }

    async fn limiter_sweep(&self) -> Result<(), StoreError> {
        self.limiter.limiter_sweep().await
    }
}

async fn open(clock: Arc<dyn Clock>) -> Arc<dyn Limiter> {
    let server = Server::start().await;
    let limiter = RedisLimiter::open_with(&server.url(), Arc::new(Nowhere), PATIENT, Some(clock)).await.unwrap();
    Arc::new(OnServer { limiter, _server: server })
}

aerie_storage::limiter_contract_tests!(
    #[ignore = "needs redis-server: e2e/redis.sh"]
    open
);
