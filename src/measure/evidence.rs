//! Chains of evidence: how many of the hops that an answer needs the search calls found.

use super::{Better, Computation, CutoffRule, MeasureDef, Needs, ParamDef, ParamValues, Params, Purpose};
use crate::judged::{Evidence, Extent};

const HOP: ParamDef = ParamDef {
    name: "h",
    aliases: &["hop"],
    values: ParamValues::Whole,
    default: Some("1"),
    not_with: None,
    about: "number of the hop, from 1",
};

const CALLS: ParamDef = ParamDef {
    name: "calls",
    aliases: &["steps"],
    values: ParamValues::Whole,
    default: None,
    not_with: None,
    about: "only the first so many search calls",
};

pub(super) static CHAIN: MeasureDef = MeasureDef {
    name: "chain",
    aliases: &["chain_recall", "chain_complete", "evidence_recall"],
    about: "1 if every hop of the evidence is in the first k of some search call",
    formula: "1 if each hop has one of its documents among the first k results of any search call, else 0",
    reading: "Share of the questions that can be answered from what was found: one missing hop breaks the chain.",
    blind_to: "How near a broken chain was: see hops_found and chain_depth.",
    edge_cases: "A question without evidence has no value: it is left out, and not a success. Hops are joined by and, \
                 documents of a hop by or.",
    peers: "Tools that test all([]) count questions without evidence as complete.",
    source: "Yang et al. 2018, HotpotQA (EMNLP): all supporting facts",
    purpose: Purpose::Evidence,
    params: &[CALLS],
    needs: Needs::Evidence,
    by_name_only: true,
    ..MeasureDef::built_by(|params| Ok(of(params, |evidence, part| Some(number(evidence.is_complete(part.extent))))))
};

pub(super) static HOP_RECALL: MeasureDef = MeasureDef {
    name: "hop_recall",
    aliases: &[],
    about: "1 if hop h of the evidence is in the first k of some search call",
    formula: "1 if one of the documents of hop h is among the first k results of any search call, else 0",
    reading: "At which hop chains break: hop_recall:h=2@5 beside hop_recall@5.",
    blind_to: "The other hops.",
    edge_cases: "A question without that hop has no value.",
    params: &[HOP, CALLS],
    build: |params| Ok(of(params, |evidence, part| evidence.has_hop(part.hop, part.extent).map(number))),
    ..CHAIN
};

pub(super) static HOP_GIVEN: MeasureDef = MeasureDef {
    name: "hop_given",
    aliases: &["conditional_hop_recall"],
    about: "hop_recall of hop h where the hop before it is found",
    formula: "hop_recall of hop h, over the questions in which the hop before it is found",
    reading: "How well a search follows up what it has: a low value after a high hop_recall points at the second query.",
    blind_to: "Questions that fail earlier. Its n is smaller than that of the others.",
    edge_cases: "The first hop has no value, and neither has a question in which the hop before is missing.",
    params: &[ParamDef { default: Some("2"), ..HOP }, CALLS],
    build: |params| Ok(of(params, |evidence, part| evidence.has_hop_given_previous(part.hop, part.extent).map(number))),
    ..CHAIN
};

pub(super) static HOPS_FOUND: MeasureDef = MeasureDef {
    name: "hops_found",
    aliases: &["hop_recall_mean"],
    about: "share of the hops that are in the first k of some search call",
    formula: "hops found / hops",
    reading: "Partial credit for a chain; hops_found:calls=1@5 is what the first call finds alone.",
    blind_to: "Which hops are missing.",
    build: |params| Ok(of(params, |evidence, part| Some(share(evidence.found(part.extent))))),
    ..CHAIN
};

pub(super) static CHAIN_DEPTH: MeasureDef = MeasureDef {
    name: "chain_depth",
    aliases: &["prefix_depth"],
    about: "number of hops found from the first on without a gap",
    formula: "largest d such that hops 1 … d are found",
    reading: "How far along the chain a search gets before it breaks.",
    blind_to: "What is found behind the gap.",
    range: (0.0, f64::INFINITY),
    build: |params| Ok(of(params, |evidence, part| Some(evidence.depth(part.extent) as f64))),
    ..CHAIN
};

pub(super) static NUM_CALLS: MeasureDef = MeasureDef {
    name: "search_calls",
    aliases: &["calls"],
    about: "number of search calls of a question with evidence",
    formula: "search calls",
    reading: "What an answer costs in searches.",
    blind_to: "What they find.",
    edge_cases: "0 for a question that the run does not answer.",
    peers: "Agent frameworks log it as the number of tool calls.",
    cutoff: CutoffRule::Never,
    params: &[],
    better: Better::Neither,
    range: (0.0, f64::INFINITY),
    build: |params| Ok(of(params, |evidence, _| Some(evidence.calls() as f64))),
    ..CHAIN
};

pub(super) static REDUNDANT_CALLS: MeasureDef = MeasureDef {
    name: "redundant_calls",
    aliases: &[],
    about: "number of search calls that add no new hop",
    formula: "calls after which no more hops are found than before",
    reading: "Searches that were for nothing.",
    blind_to: "Whether a call without a new hop led to the query of a later one.",
    params: &[],
    better: Better::Lower,
    range: (0.0, f64::INFINITY),
    build: |params| Ok(of(params, |evidence, part| Some(evidence.redundant_calls(part.cutoff) as f64))),
    ..CHAIN
};

pub(super) static CALLS_AFTER_COMPLETION: MeasureDef = MeasureDef {
    name: "calls_after_completion",
    aliases: &["late_calls"],
    about: "number of search calls after the chain was complete",
    formula: "calls that follow the one with which every hop is found",
    reading: "Searches that were made although everything was there.",
    blind_to: "Chains that are never complete: they have none.",
    build: |params| Ok(of(params, |evidence, part| Some(evidence.calls_after_completion(part.cutoff) as f64))),
    ..REDUNDANT_CALLS
};

/// What part of the search a measure looks at.
#[derive(Clone, Copy)]
struct Part {
    cutoff: Option<u64>,
    extent: Extent,
    hop: u32,
}

fn of(params: &Params, value: fn(&Evidence, Part) -> Option<f64>) -> Computation {
    let cutoff = params.cutoff();
    let (top, calls) = (Extent::top(cutoff), params.number("calls"));
    let extent = calls.map_or(top, |calls| top.of_first(calls as usize));
    let part = Part { cutoff, extent, hop: params.number("h").map_or(1, |hop| hop as u32) };
    Computation::Evidence(Box::new(move |evidence: &Evidence| value(evidence, part)))
}

fn number(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

fn share((found, all): (usize, usize)) -> f64 {
    found as f64 / all as f64
}
