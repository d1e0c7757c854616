//! The listener for monitoring and operators.

use std::io::ErrorKind;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use anyhow::Context;
use tokio::net::TcpListener;

use crate::config::Config;

/// Listens on `[admin] listen`. Without that key: nowhere in development, elsewhere on the default address, or on a free port if
/// another server has that.
///
/// # Errors
/// When the configured address cannot be listened on.
pub(crate) async fn listen(config: &Config) -> anyhow::Result<Option<TcpListener>> {
    let Some(address) = config.admin_address() else { return Ok(None) };
    if config.is_admin_configured() {
        let context = || format!("cannot listen on {address}; choose another address with [admin] listen");
        return TcpListener::bind(address).await.map(Some).with_context(context);
    }
    or_free_port(address).await.map(Some)
}

async fn or_free_port(address: SocketAddr) -> anyhow::Result<TcpListener> {
    let taken = match TcpListener::bind(address).await {
        Ok(listener) => return Ok(listener),
        Err(error) if error.kind() == ErrorKind::AddrInUse => error,
        Err(error) => {
            let remedy = format!("cannot listen on {address}; choose an address with [admin] listen");
            return Err(error).context(remedy);
        }
    };
    let listener = TcpListener::bind(SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 0))
        .await
        .context("cannot listen on a free port for [admin] listen")?;
    let admin = listener.local_addr()?;
    tracing::warn!(%admin, error = %taken, "{address} is taken: metrics are on a free port; to keep one, set [admin] listen");
    Ok(listener)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn where_the_default_address_is_taken_a_free_port_is() {
        let first = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let taken = first.local_addr().unwrap();
        let second = or_free_port(taken).await.unwrap().local_addr().unwrap();
        assert!(second.ip().is_loopback() && second != taken);
        drop(first);
        assert_eq!(or_free_port(taken).await.unwrap().local_addr().unwrap(), taken);
    }
}
