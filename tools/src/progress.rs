//! Which pass a long compile is at, for who waits at a terminal.
//!
//! ```text
//! $ pipeline-opt --pipeline-to-ptx large.mlir -o large.ptx.mlir
//! ⠙ to-ptx, 3s
//! ```
//!
//! Most compiles are over before anybody waits: the line is drawn after a second, on stderr, if that is a terminal, and is gone at the end.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mlir_glue::{Began, Sinks};
use std::{
    io::{IsTerminal, stderr},
    sync::mpsc::{Receiver, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

/// How long nobody waits.
const PATIENCE: Duration = Duration::from_secs(1);

/// Runs what runs passes with these sinks.
pub fn with_progress<T>(mut sinks: Sinks, run: impl FnOnce(&Sinks) -> T) -> T {
    if !stderr().is_terminal() {
        return run(&sinks);
    }
    let began = sinks.collect();
    thread::scope(|scope| {
        scope.spawn(move || draw(&began, PATIENCE, ProgressDrawTarget::stderr()));
        let result = run(&sinks);
        // Nobody can send any more: the line ends.
        drop(sinks);
        result
    })
}

/// Runs what takes long and is no pass.
pub fn during<T>(what: &'static str, run: impl FnOnce() -> T) -> T {
    with_progress(Sinks::default(), |sinks| {
        sinks.send(Began(what));
        run()
    })
}

/// Draws what has begun, from so long after the first on.
fn draw(began: &Receiver<Began>, patience: Duration, target: ProgressDrawTarget) {
    // A driver may wait for its input before it runs a pass.
    let Ok(Began(mut at)) = began.recv() else { return };
    let start = Instant::now();
    loop {
        match began.recv_timeout(patience.saturating_sub(start.elapsed())) {
            Ok(Began(next)) => at = next,
            Err(RecvTimeoutError::Timeout) => break,
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
    let line = ProgressBar::with_draw_target(None, target).with_elapsed(start.elapsed());
    line.set_style(
        ProgressStyle::with_template("{spinner} {msg}, {elapsed}").unwrap_or_else(|_| ProgressStyle::default_spinner()),
    );
    line.set_message(at);
    line.enable_steady_tick(Duration::from_millis(100));
    began.iter().for_each(|Began(next)| line.set_message(next));
    line.finish_and_clear();
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::InMemoryTerm;
    use std::sync::mpsc::channel;

    /// Lets these passes begin, one after the other, each once `is_shown` of it or after ten seconds.
    fn run(patience: Duration, passes: &[&'static str], is_shown: impl Fn(&str, &str) -> bool) -> InMemoryTerm {
        let terminal = InMemoryTerm::new(2, 40);
        let target = ProgressDrawTarget::term_like(Box::new(terminal.clone()));
        let (sender, began) = channel();
        thread::scope(|scope| {
            scope.spawn(move || draw(&began, patience, target));
            for pass in passes {
                sender.send(Began(pass)).expect("somebody hears");
                let start = Instant::now();
                while !is_shown(&terminal.contents(), pass) {
                    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", terminal.contents());
                    thread::yield_now();
                }
            }
            drop(sender);
        });
        terminal
    }

    #[test]
    fn a_pass_is_named_for_as_long_as_it_runs() {
        let terminal = run(Duration::ZERO, &["fuse", "to-ptx"], |shown, pass| shown.contains(&format!(" {pass}, 0s")));
        assert_eq!(terminal.contents(), "");
    }

    #[test]
    fn nobody_waits_for_a_short_one() {
        let terminal = run(Duration::from_secs(3600), &["fuse", "to-ptx"], |_, _| true);
        assert!(terminal.moves_since_last_check().is_empty(), "nothing was written, not even taken back");
    }
}
