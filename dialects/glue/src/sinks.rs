//! Sinks: where a pass sends what it has to tell besides IR and diagnostics.
//!
//! ```text
//! let mut sinks = Sinks::default();
//! let reports = sinks.collect::<Report>();       // whoever runs the pipeline says what it wants
//! run_pipeline_with(module, "fuse", &sinks)?;    // PassContext::report(Report { .. }) in the pass
//! for report in reports.try_iter() { .. }
//! ```
//!
//! A sink belongs to one run. So runs that go on at the same time do not hear each other, and a pass, which may run on any of
//! MLIR's threads, needs no state.

use std::{
    any::{Any, TypeId},
    collections::HashMap,
    sync::mpsc::{Receiver, Sender, channel},
};

/// A pass begins, by the name of its argument. Every [`Pass`](crate::Pass) reports it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Began(pub &'static str);

/// What the caller of a run wants to be told: at most one sink for each type of report.
#[derive(Default)]
pub struct Sinks {
    /// Of each type `R` the `Sender<R>`.
    senders: HashMap<TypeId, Box<dyn Any + Send + Sync>>,
}

impl Sinks {
    /// Installs the sink for reports of this type: they can be received when the run is over.
    pub fn collect<R: Send + 'static>(&mut self) -> Receiver<R> {
        let (sender, receiver) = channel::<R>();
        self.senders.insert(TypeId::of::<R>(), Box::new(sender));
        receiver
    }

    /// Sends a report to the sink of its type, if there is one.
    pub fn send<R: Send + 'static>(&self, report: R) {
        if let Some(sender) = self.sender::<R>() {
            // A collector that is gone wants no more reports.
            let _ = sender.send(report);
        }
    }

    /// The sink for reports of this type, if there is one.
    pub(crate) fn sender<R: Send + 'static>(&self) -> Option<&Sender<R>> {
        self.senders.get(&TypeId::of::<R>())?.downcast_ref()
    }
}
