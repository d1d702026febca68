//! What a step's options say is what a pass is told, through the text of a pipeline and MLIR's parser.

use melior::{Context, ir::OperationRef};
use mlir_glue::{
    Failure, Pass, PassContext, Pipeline, Registration, Step, choice, options, pipeline_text,
    run::{parse_module, run_pipeline},
    with_options,
};
use std::sync::Mutex;

choice! {
    /// What to do.
    pub enum Kind { Small = "small", Large = "large" }
}

options! {
    /// Options of the pass, and of the pipeline that is made of it.
    #[derive(PartialEq)]
    pub struct ToldOptions {
        kind: Kind = Kind::Small, "kind", "what to do";
        count: i64 = 3, "count", "how often";
        loud: bool = true, "loud", "whether to say so";
        text: String = "x y", "text", "what to say";
    }
}

static TOLD: Mutex<Vec<ToldOptions>> = Mutex::new(Vec::new());

/// Notes what it is told.
struct Note;

impl Pass for Note {
    const ARGUMENT: &'static str = "glue-test-note";
    const SUMMARY: &'static str = "Note the options";
    type Options = ToldOptions;

    fn run<'c>(_: OperationRef<'c, '_>, options: &ToldOptions, _: &PassContext<'c>) -> Result<(), Failure<'c>> {
        TOLD.lock().expect("no test panics while it holds the lock").push(options.clone());
        Ok(())
    }
}

/// Runs the pass twice, between others.
struct Twice;

impl Pipeline for Twice {
    const ARGUMENT: &'static str = "glue-test-twice";
    const SUMMARY: &'static str = "Note the options twice";
    type Options = ToldOptions;

    fn expand(options: &ToldOptions) -> Result<Vec<Step>, String> {
        let limit = [("max-iterations", "2".to_owned()), ("top-down", "false".to_owned())];
        Ok(vec![
            Step::of::<Note>(options.clone()),
            Step::upstream_with("canonicalize", limit),
            Step::nested("builtin.module", [Step::upstream("cse"), Step::upstream("canonicalize")]),
            Step::of::<Note>(options.clone()),
        ])
    }
}

#[test]
fn options_arrive_as_they_are() {
    let default = ToldOptions::default;
    let say = |text: &str| ToldOptions { text: text.to_owned(), ..default() };
    let all = [
        default(),
        ToldOptions { kind: Kind::Large, count: -7, loud: false, ..default() },
        say(""),
        say("a"),
        say("/tmp/a file, or two"),
        say("tile = array<i64: 8, 128>, layout = \"blocked\""),
        say("{tile = 8, layout = 'blocked'}"),
        say("layout=\"blocked\""),
        say("a = b"),
        say("f(x), g[y] {z}"),
        say("a,b;c=d|e\\f"),
    ];
    Registration::pass::<Note>().register();
    Registration::pipeline::<Twice>().register();
    melior::utility::register_all_passes();
    let context = Context::new();
    let module = parse_module(&context, "module {}", "test").expect("it is a module");
    for options in all {
        let text = pipeline_text(&[Step::of::<Note>(options.clone()), Step::pipeline::<Twice>(&options)]);
        let text = text.expect("a text can hold these");
        run_pipeline(module.as_operation(), &text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let told = std::mem::take(&mut *TOLD.lock().expect("no test panics while it holds the lock"));
        assert_eq!(told, vec![options; 3], "{text}");
    }
}

#[test]
fn only_what_is_not_default_is_written() {
    let text = |options| pipeline_text(&[Step::of::<Note>(options)]).expect("a text can hold these");
    assert_eq!(text(ToldOptions::default()), "glue-test-note");
    let options = ToldOptions { kind: Kind::Large, text: "a b".to_owned(), ..ToldOptions::default() };
    assert_eq!(text(options), "glue-test-note{kind=large text={a b}}");
}

#[test]
fn no_value_ends_its_option() {
    for value in ["a}", "none},canonicalize{", "it's", "\"", " a", "a ", "'a b'", "(a", "a]", "(a]", "{\"}\"}", "a\nb"]
    {
        let options = ToldOptions { text: value.to_owned(), ..ToldOptions::default() };
        let error = pipeline_text(&[Step::of::<Note>(options)]).expect_err(value).to_string();
        assert!(error.starts_with(&format!("option 'text' of 'glue-test-note' is '{value}', expected")), "{error}");
    }
}

#[test]
fn options_of_a_user() {
    let read = |text: &str| with_options(ToldOptions::default(), text);
    let expected = ToldOptions { kind: Kind::Large, count: 5, loud: false, text: "a = {b c}".to_owned() };
    assert_eq!(read(" kind=large  count=4 loud=false count=5 text={a = {b c}} "), Ok(expected));
    assert_eq!(read("loud text='a b'").map(|options| options.text), Ok("a b".to_owned()));
    for (text, error) in [
        ("knd=large", "no such option knd, expected one of kind, count, loud, text"),
        ("kind=none},cse{", "option 'kind' is 'none},cse{', expected one of small, large"),
        ("count=many", "option 'count' is 'many', expected a whole number"),
        ("loud=yes", "option 'loud' is 'yes', expected true or false"),
        ("kind", "option 'kind' has no value, expected kind=VALUE"),
    ] {
        assert_eq!(read(text), Err(error.to_owned()));
    }
}
