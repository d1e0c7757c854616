//! Signatures of Standard Webhooks.

use aerie_storage::WebhookSecret;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// The signature of a delivery: HMAC-SHA256 over id, time and body.
#[must_use]
pub fn sign(secret: &WebhookSecret, id: &str, timestamp: i64, body: &str) -> String {
    // HMAC takes keys of any length.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&secret.0) else { return String::new() };
    mac.update(format!("{id}.{timestamp}.{body}").as_bytes());
    format!("v1,{}", STANDARD.encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key, message and signature of the example in the reference implementation, whose secret has 24 bytes.
    #[test]
    fn a_signature_is_that_of_the_reference_implementation() {
        let key = STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let mut mac = Hmac::<Sha256>::new_from_slice(&key).unwrap();
        let body = "{\"test\": 2432232314}";
        mac.update(format!("msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{body}").as_bytes());
        assert_eq!(STANDARD.encode(mac.finalize().into_bytes()), "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    #[test]
    fn a_signature_depends_on_secret_id_time_and_body() {
        let secret = |byte| WebhookSecret([byte; 32]);
        let signature = sign(&secret(1), "msg_1", 5, "{}");
        assert!(signature.starts_with("v1,") && signature.len() == 3 + 44);
        for other in [
            sign(&secret(2), "msg_1", 5, "{}"),
            sign(&secret(1), "msg_2", 5, "{}"),
            sign(&secret(1), "msg_1", 6, "{}"),
            sign(&secret(1), "msg_1", 5, "{ }"),
        ] {
            assert_ne!(signature, other);
        }
    }
}
