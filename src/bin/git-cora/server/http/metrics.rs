//! Metrics of the server, in the text format of Prometheus.
//!
//! The only labels are routes and statuses. Both come from fixed sets, so clients can't make the
//! metrics grow, and no label reveals a question or a repository.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64};
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// Bucket bounds of the histogram in seconds: a warm query takes milliseconds, a cold one seconds.
const SECONDS: [f64; 13] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0];

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Request {
    route: &'static str,
    status: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Route {
    route: &'static str,
}

/// The metrics of a server.
pub(super) struct Metrics {
    registry: Registry,
    requests: Family<Request, Counter<u64, AtomicU64>>,
    seconds: Family<Route, Histogram>,
    in_flight: Gauge<i64, AtomicI64>,
    resident: Gauge<i64, AtomicI64>,
}

impl Default for Metrics {
    fn default() -> Self {
        let requests = Family::<Request, Counter>::default();
        let seconds = Family::<Route, Histogram>::new_with_constructor(|| Histogram::new(SECONDS));
        let (in_flight, resident) = (Gauge::default(), Gauge::default());
        let mut registry = Registry::with_prefix("cora");
        registry.register("http_requests", "Requests, by route and status", requests.clone());
        registry.register_with_unit(
            "http_request_duration",
            "Time to answer, by route",
            Unit::Seconds,
            seconds.clone(),
        );
        registry.register("http_requests_in_flight", "Requests in progress", in_flight.clone());
        registry.register_with_unit("resident_memory", "Memory in use", Unit::Bytes, resident.clone());
        Self { registry, requests, seconds, in_flight, resident }
    }
}

/// Guard that counts a request as in progress until it is dropped.
pub(super) struct InFlight(Gauge<i64, AtomicI64>);

impl Drop for InFlight {
    fn drop(&mut self) {
        self.0.dec();
    }
}

impl Metrics {
    pub(super) fn begin(&self) -> InFlight {
        self.in_flight.inc();
        InFlight(self.in_flight.clone())
    }

    pub(super) fn end(&self, route: &'static str, status: u16, spent: Duration) {
        self.requests.get_or_create(&Request { route, status: status.into() }).inc();
        self.seconds.get_or_create(&Route { route }).observe(spent.as_secs_f64());
    }

    /// Returns all metrics as text.
    pub(super) fn text(&self) -> String {
        self.resident.set(resident_bytes().unwrap_or(0));
        let mut text = String::new();
        // Writing to a string can't fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}

/// Returns the resident memory of this process in bytes; `None` on systems without `/proc`.
fn resident_bytes() -> Option<i64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix("kB")?.trim().parse::<i64>().ok()?.checked_mul(1024)
}

/// Compile-time check: the metrics are shared between threads.
const _: fn() = || {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Arc<Metrics>>();
};
