//! What each code of a warning or a note means, when it appears and what to do.

use super::Explanation;

/// Every code of a warning, then every code of a note, in the order of their numbers.
pub static EXPLANATIONS: &[Explanation] = &[
    Explanation {
        code: "W001",
        title: "faulty rows are left out",
        appears: "`--on-error skip` was given and rows could not be read.",
        means: "The numbers are those of the rest of the file. Left-out labels make recall too high, left-out results \
                make it too low.",
        remedy: "Mend the rows; without the option the first one is shown with its line.",
    },
    Explanation {
        code: "W003",
        title: "judged queries have no results",
        appears: "The labels hold a query that can be scored and that the run does not answer.",
        means: "It counts as an empty list: 0 in nearly every measure, 1 in rbp_residual, and no value in judged@k. \
                A mean over the answered queries alone would reward a run for leaving out what is hard.",
        remedy: "Find out why they are missing; a search that found nothing is measured rightly. `--over common` \
                 leaves them out, `--over strict` makes them an error.",
    },
    Explanation {
        code: "W004",
        title: "nothing reaches the threshold of relevance",
        appears: "No query has a relevant document for the measures named, at the grade from which they count.",
        means: "These measures have no value at all; the others are not touched.",
        remedy: "Look at the grades: a scale from 0 to 1 needs `--rel 0.5` or the like, and `rel=2` in a measure asks \
                 for grade 2.",
    },
    Explanation {
        code: "W005",
        title: "the run has no results",
        appears: "`--allow-empty` was given and the run is empty.",
        means: "Every query counts as an empty list, so nearly everything is 0.",
        remedy: "Leave the option out unless an empty run is what you want to measure.",
    },
    Explanation {
        code: "W006",
        title: "no document id is in both files",
        appears: "Queries match, but not one retrieved document stands in the labels.",
        means: "Every measure is 0 because the ids differ, not because the search is bad: chunk ids against document \
                ids, another prefix, another export.",
        remedy: "Follow the flag that the message names: `--collapse SEP` cuts chunk ids, `--edit-doc-ids` rewrites \
                 ids.",
    },
    Explanation {
        code: "W007",
        title: "copies of a document are dropped",
        appears: "`--duplicates first` was given and a ranking holds a document more than once.",
        means: "The best-ranked copy stays, the others go and the ranks below close up, so that a copy is never \
                credited. What a reader saw was longer than what is scored.",
        remedy: "Remove duplicates in the search, before its cutoff.",
    },
    Explanation {
        code: "W008",
        title: "judgments repeat earlier ones",
        appears: "A query and document stand in the labels more than once with one and the same grade.",
        means: "No number changes: each pair counts once.",
        remedy: "Nothing, or remove the copies. Files joined twice are the usual cause.",
    },
    Explanation {
        code: "W009",
        title: "ranks contradict scores",
        appears: "The rank column of a run puts documents in another order than its scores.",
        means: "The scores decide, as in trec_eval. If they are distances, the ranking is upside down; if they were \
                rounded, ties replaced the order that was meant.",
        remedy: "Write scores for which higher is better, with all of their digits. `--run-format ranks` reads three \
                 columns as ranks.",
    },
    Explanation {
        code: "W010",
        title: "no document is judged not relevant",
        appears: "Measures that need such judgments were asked for by name: judged, bpref, condensed ones.",
        means: "With relevant documents alone judged@k is precision@k, bpref is the share of relevant documents that \
                were retrieved, and a condensed list holds nothing but relevant documents.",
        remedy: "Read the plain measures, or judge the top results of the run and write down the zeros too.",
    },
    Explanation {
        code: "W011",
        title: "a gate is undecided",
        appears: "The evidence of a gate excludes neither a loss nor its absence, and `--on-undecided warn` lets it \
                  through.",
        means: "The exit code says pass, the data do not.",
        remedy: "Add queries: the gate says how many would settle it. Without the option the exit code is 3.",
    },
    Explanation {
        code: "W012",
        title: "grades look like scores",
        appears: "Most numbers of the labels are fractions above 1 or below 0, in a file that its position alone made \
                  labels.",
        means: "The two files may be swapped: every result would then be a relevant document.",
        remedy: "Labels come first, then runs. Fractional grades that are meant so are read as they are.",
    },
    Explanation {
        code: "W013",
        title: "judgments contradict earlier ones",
        appears: "A pair is judged more than once with different grades, and `--duplicate-labels` settles it.",
        means: "The numbers depend on which of the grades is right.",
        remedy: "Look at the pairs; people who disagree are worth a second judgment.",
    },
    Explanation {
        code: "W014",
        title: "grades too large for a gain of 2^grade",
        appears: "A set of measures holds dcg_exp, and the labels hold a grade of 1024 or more.",
        means: "The measure is left out of the set; its values could not be written down. ndcg_exp is not touched.",
        remedy: "Use ndcg_exp, or a smaller scale of grades.",
    },
    Explanation {
        code: "W015",
        title: "a converted file looks like another format",
        appears: "`convert` wrote ids that make the result look like JSON, a header or another layout.",
        means: "The file holds what it should, and would be read as something else.",
        remedy: "Name the format when it is read, as the warning says, or convert to jsonl.",
    },
    Explanation {
        code: "W016",
        title: "measures that the tool defines in another way",
        appears: "`--like` names a tool, and a measure is shown that has another definition there.",
        means: "Queries, ties and decimals are those of the tool; the values of this measure are not.",
        remedy: "Compare the other measures, or set the parameters of this one.",
    },
    Explanation {
        code: "W017",
        title: "a second column or key of grades",
        appears: "Rows of labels have a column or key `relevance` and one more that is named like a grade, such as \
                  `label`.",
        means: "`relevance` is the usual name and is taken; the other changes nothing.",
        remedy: "If the other is meant, leave `relevance` out or give it another name.",
    },
    Explanation {
        code: "W020",
        title: "ids whose document is not known",
        appears: "Documents are measured (`--unit doc`, `--unit both`), and some results or judged chunks name no \
                  document, in the run or in a chunk map.",
        means: "Each of them counts as a document of its own. A judged chunk that no run returns cannot be found then, \
                and makes labels of documents look harder than they are.",
        remedy: "`--chunks FILE` names the document of every chunk, returned or not.",
    },
    Explanation {
        code: "W021",
        title: "results without a place",
        appears: "Gold passages are measured, and some results say no document, start and end.",
        means: "They cover nothing and count as not relevant, whatever they hold.",
        remedy: "`--chunks FILE` places them by their ids.",
    },
    Explanation {
        code: "W022",
        title: "offsets of an unknown kind",
        appears: "Gold passages are measured, and only one of labels and chunks says what its offsets count.",
        means: "If they count different things (characters, bytes, UTF-16 units), passages and chunks meet in the wrong \
                places, and nothing looks wrong but the numbers.",
        remedy: "Put `{\"meta\": {\"offset_unit\": \"char\"}}` into the first line of both files.",
    },
    Explanation {
        code: "W030",
        title: "results from outside the pool",
        appears: "`stages` finds results in a stage that are in none of the stages it takes its results from.",
        means: "They are not relevant, or it would be an error; they take places that results of the pool could have.",
        remedy: "Give the run that the stage really saw, uncut, or name the stages that search on their own with \
                 `--search`.",
    },
    Explanation {
        code: "W031",
        title: "unanswerable queries without an answer row",
        appears: "`funnel` meets queries marked `\"answerable\": false` of which the answers say nothing.",
        means: "They count neither as false answers nor as right abstentions.",
        remedy: "Write a row for each; an abstention is `\"answered\": false`.",
    },
    Explanation {
        code: "W032",
        title: "queries without latency or cost",
        appears: "`pareto` meets a run that carries a latency or a cost for some of its queries only.",
        means: "The percentile or the mean is over the others, which may be the quick ones.",
        remedy: "Write `latency_ms` and `cost_usd` into every row, for each search call.",
    },
    Explanation {
        code: "W033",
        title: "unanswerable queries with relevant documents",
        appears: "`check` meets a query that is marked `\"answerable\": false` and has a relevant document.",
        means: "The mark wins: the query is in no mean, whatever its grades.",
        remedy: "Take back the mark or the grades.",
    },
    Explanation {
        code: "W034",
        title: "roles that nothing is open to",
        appears: "`check --acl` meets a search in the name of a role that stands in no `allowed_roles`.",
        means: "Whatever was shown to it counts as a leak.",
        remedy: "Look at the spelling on both sides; a role that may see nothing should get nothing.",
    },
    Explanation {
        code: "W035",
        title: "searches without a role",
        appears: "`check --acl` meets rows of a run without `role`.",
        means: "Nothing can be said about who saw their results, so the check fails.",
        remedy: "Write the role into every row of the run.",
    },
    Explanation {
        code: "W036",
        title: "chunks without roles",
        appears: "`check --acl` meets chunks without `allowed_roles` in the map.",
        means: "Where they are shown, nobody knows whether that is a leak: they are counted apart, and fail.",
        remedy: "Write the roles; an empty list is open to nobody. `--allow-unknown` lets them pass.",
    },
    Explanation {
        code: "N001",
        title: "queries without a relevant document are left out",
        appears: "Labels hold queries in which nothing is relevant, or that are marked `answerable: false`.",
        means: "They are in no mean: whatever is returned, nothing right can be found for them.",
        remedy: "Nothing. `--no-relevant zero` counts them as 0, as trec_eval does; `answerable: false` always leaves \
                 out.",
    },
    Explanation {
        code: "N002",
        title: "equal scores at a cutoff",
        appears: "In some rankings two documents of one score stand on both sides of a reported cutoff.",
        means: "The rule for ties decides what is inside, not the search: document ids descending by bytes, as in \
                trec_eval. Another tool can give another number.",
        remedy: "Write more digits of the scores. `--ties input` and `--ties id-asc` show how much it matters; \
                 `raglens explain ties` says more.",
    },
    Explanation {
        code: "N003",
        title: "queries have no labels",
        appears: "The run answers queries that the labels do not hold.",
        means: "They are ignored: nothing can be said about them.",
        remedy: "Nothing, if the labels are a sample. If most queries are named, look whether their ids match.",
    },
    Explanation {
        code: "N005",
        title: "negative grades",
        appears: "Labels hold grades below 0.",
        means: "Such a document was pooled but not judged, as in trec_eval: it is neither relevant nor judged, and \
                infap reads it as one of the pool.",
        remedy: "Nothing, if that is meant. If -1 means not relevant, write 0.",
    },
    Explanation {
        code: "N006",
        title: "a header line is skipped",
        appears: "The first line of a file in a layout without header holds names in place of numbers.",
        means: "It is not a row of data.",
        remedy: "Nothing.",
    },
    Explanation {
        code: "N007",
        title: "text in UTF-16 was converted",
        appears: "The file is UTF-16, as some Windows programs write it.",
        means: "It was read as if it were UTF-8; no number depends on it.",
        remedy: "Nothing.",
    },
    Explanation {
        code: "N008",
        title: "comment lines are skipped",
        appears: "Lines of a TREC file begin with #.",
        means: "They are not read, even where they look like rows: a query whose id begins with # would be lost.",
        remedy: "Nothing, if they are comments; the first ones are shown.",
    },
    Explanation {
        code: "N009",
        title: "results that nobody judged",
        appears: "`check` counts how much of the first ten results of a run has no label.",
        means: "What is unjudged counts as not relevant: two runs that differ in it are not measured alike.",
        remedy: "Judge what the new run returns, and read judged@10 beside the other numbers.",
    },
    Explanation {
        code: "N010",
        title: "queries find themselves",
        appears: "A ranking holds a document whose id is the id of the query, as in tests that search a collection \
                  with its own documents.",
        means: "That result takes a place, mostly the first, and is no finding.",
        remedy: "`--drop-self` removes it and closes the gap, as BEIR does.",
    },
    Explanation {
        code: "N011",
        title: "rows without a grade",
        appears: "Labels are pairs of query and document.",
        means: "Each row counts as relevant, with grade 1.",
        remedy: "Nothing, if the file lists what is relevant.",
    },
    Explanation {
        code: "N012",
        title: "unanswered queries are left out",
        appears: "`--over common` was given and the run lacks queries of the labels.",
        means: "The means are over the queries that both files have, and cannot be compared with those of a run that \
                answers others.",
        remedy: "Nothing, if that is meant. Without the option they count as empty lists.",
    },
    Explanation {
        code: "N013",
        title: "ids that are not UTF-8",
        appears: "Ids hold bytes that are no UTF-8 text.",
        means: "They are compared byte by byte, as always, and shown as `\\xNN`.",
        remedy: "Nothing.",
    },
    Explanation {
        code: "N014",
        title: "queries that not all compared runs have",
        appears: "`compare --over common` meets queries that one of the sides lacks.",
        means: "They are left out: a query without a partner says nothing about a difference.",
        remedy: "Nothing, if that is meant. Without the option a difference of the queries is an error.",
    },
    Explanation {
        code: "N015",
        title: "measures without a micro average",
        appears: "`--average micro` was given, and the set holds measures that are no share of something countable.",
        means: "They are left out: only hit, precision, recall, f1 and judged can be pooled over queries.",
        remedy: "Ask for the others without `--average micro`.",
    },
    Explanation {
        code: "N020",
        title: "gold passages of no length",
        appears: "Labels hold passages that start and end in one place.",
        means: "They count for nothing; a query that has no others is left out.",
        remedy: "Write the end behind the last position, or leave the passage out.",
    },
    Explanation {
        code: "N021",
        title: "gold passages that overlap",
        appears: "Labels hold two passages of one document that share a part.",
        means: "For coverage they are merged, so that the part counts once; for recall each is a passage of its own.",
        remedy: "Nothing, unless they were meant to be one.",
    },
    Explanation {
        code: "N022",
        title: "gold passages that hops grade differently",
        appears: "Labels hold a passage for several hops of a query, and its grades differ.",
        means: "A passage is credited once, with its largest grade; each hop keeps its own.",
        remedy: "Nothing, if that is meant. If one of the grades is a slip, mend it.",
    },
    Explanation {
        code: "N030",
        title: "queries marked unanswerable",
        appears: "`check` meets queries marked `\"answerable\": false`.",
        means: "They are in no mean of retrieval; `funnel` counts what was answered there.",
        remedy: "Nothing.",
    },
    Explanation {
        code: "N031",
        title: "queries without a tag that others have",
        appears: "`check` meets labels in which a tag stands at some of the queries.",
        means: "With `--by` they fall into the slice `(none)`.",
        remedy: "Add the tag where it was forgotten.",
    },
    Explanation {
        code: "N032",
        title: "no document is judged not relevant",
        appears: "`check` meets labels without a single grade 0.",
        means: "Nobody can tell what was judged from what was never looked at: judged, bpref and condensed lists say \
                little.",
        remedy: "Keep the judgments that came out as not relevant.",
    },
    Explanation {
        code: "N033",
        title: "empty lists of results",
        appears: "`check` meets queries of a run that have a row and no result.",
        means: "They score as queries without results do: 0 in nearly everything.",
        remedy: "Nothing, if the search found nothing.",
    },
];
