//! `raglens explain`: measures, codes, topics, and the way to a value.

use snapbox::str;
use unicode_width::UnicodeWidthStr;

use crate::world::World;

const FILES: &str = "labels.txt good.trec";

#[test]
fn a_code_may_lack_its_zeros() {
    World::new().shows(
        "explain w3",
        str![[r#"

exit status 0
--- stdout
W003   judged queries have no results

  appears     The labels hold a query that can be scored and that the run does
              not answer.
  means       It counts as an empty list: 0 in nearly every measure, 1 in
              rbp_residual, and no value in judged@k. A mean over the answered
              queries alone would reward a run for leaving out what is hard.
  what to do  Find out why they are missing; a search that found nothing is
              measured rightly. `--over common` leaves them out, `--over strict`
              makes them an error.

"#]],
    );
}

#[test]
fn without_a_name_every_measure_stands_under_its_question() {
    World::new().shows(
        "explain",
        str![[r#"

exit status 0
--- stdout
measures   70, by the question that they answer

Is the answer there?
  hit@k          whether any of the first k is relevant
  full_recall@k  whether all relevant documents stand in the first k

How much of it is there?
  recall@k         the share of all relevant documents that stands in the first
                   k
  capped_recall@k  recall@k, with no more than k expected
  rprec            the share of the first R that is relevant

How much noise comes with it?
  precision@k  the share of the first k that is relevant
  f1@k         precision@k and recall@k in one number

How high does it stand?
  mrr@k                1 / rank of the first relevant document
  map@k                precision at the rank of each relevant document, averaged
                       over all of them
  context_precision@k  precision at the rank of each relevant document found,
                       averaged over those
  rbp                  the gain per result of a reader who goes on with chance p

Does better stand above good?
  ndcg@k      graded gain, discounted by rank, as a share of the best possible
  ndcg_exp@k  nDCG with gain 2^grade - 1
  dcg@k       graded gain, discounted by rank, not normalised
  dcg_exp@k   DCG with gain 2^grade - 1, not normalised
  err@k       the expected 1 / rank at which a reader is satisfied

How much of the text that answers is there?
  span_coverage@k   share of the gold text that the first k chunks hold
  span_precision@k  share of the text of the first k chunks that is gold
  span_iou@k        gold text in the first k chunks, as a share of both together

Is there all that the answer needs?
  chain@k            1 if every hop of the evidence is in the first k of some
                     search call
  hop_recall@k       1 if hop h of the evidence is in the first k of some search
                     call
  hop_given@k        hop_recall of hop h where the hop before it is found
  hops_found@k       share of the hops that are in the first k of some search
                     call
  chain_depth@k      number of hops found from the first on without a gap
  search_calls       number of search calls of a question with evidence
  redundant_calls@k  number of search calls that add no new hop
  calls_after_completion@k
                     number of search calls after the chain was complete

What if not everything was judged?
  rbp_residual  what unjudged documents could still add to rbp
  bpref         how seldom a judged non-relevant document stands above a
                relevant one
  infap         average precision, with the judged part of the pool standing for
                the rest
  judged@k      the share of the first k that somebody judged
  unjudged@k    the share of the first k places with a document that nobody
                judged

What do the numbers stand on?
  num_q        number of queries
  num_ret      number of results
  num_rel      number of relevant documents
  num_rel_ret  number of relevant documents retrieved

What else does trec_eval print?
  gm_map, iprec@0.2, num_nonrel_judged_ret, yaap, rprec_mult@0.2, 11pt_avg,
  set_map, set_relative_p, utility, ideal_dcg@k, ndcg_rel, rndcg, bing, g,
  gm_bpref, map_avgjg, p_avgjg@k, rprec_mult_avgjg@0.2, prefs_num_prefs_poss,
  prefs_num_prefs_ful, prefs_num_prefs_ful_ret, prefs_simp, prefs_simp_ret,
  prefs_simp_imp, prefs_pair, prefs_pair_ret, prefs_pair_imp, prefs_avgjg,
  prefs_avgjg_ret, prefs_avgjg_imp, prefs_avgjg_rnonrel,
  prefs_avgjg_rnonrel_ret, relstring@k, runid

Where to go on
  explain ndcg@5     formula, reading, blind spots, parameters, other tools
  explain ndcg@5 LABELS RUN --query ID
                     how the value of one query comes about
  explain W003       a code; `explain codes` lists all
  explain names      how measures are written
  explain ties       what decides between equal scores
  explain missing    queries and documents that one of the files lacks
  explain trec_eval  where `raglens trec_eval` departs from trec_eval 10 on
                     purpose

"#]],
    );
}

#[test]
fn a_measure_has_a_page() {
    World::new().shows(
        "explain recall@5",
        str![[r#"

exit status 0
--- stdout
recall@5   the share of all relevant documents that stands in the first k

  formula         (documents of grade >= rel at rank 1 … k) / R, R = all
                  documents of grade >= rel
  how to read it  What the first k do not hold, no later step can use: recall at
                  the size of the prompt bounds the answer.
  blind to        The order within the first k, and how much else stands there.
                  It is only as complete as the labels: relevant documents that
                  nobody judged are not missed.
  edge cases      With R > k nobody can reach 1. A query without relevant
                  documents has no recall.
  values          0 to 1; higher is better; the mean over the queries is shown;
                  a perfect list can score below that (`eval` says what is
                  attainable).
  queries         Those with a relevant document. `--average micro` can pool
                  them.
  cutoff          The first 5 places count; recall alone is over the whole list.
  :rel=1          Grade from which a document counts as relevant (a number from
                  0; default 1).
  :condensed      Leave unjudged documents out before the cutoff.
  other tools     recall_k of trec_eval and R@k of ir_measures are the same;
                  over the whole list it is set_recall. Some RAG tools call
                  hit@k recall.
  trec_eval       set_recall over the whole list, recall_5 at a cutoff
  also written    r, rec, set_recall, setr
  source          Cleverdon, Mills and Keen 1966; trec_eval, recall

`raglens explain recall@5 LABELS RUN --query ID` shows how a value comes about.

"#]],
    );
}

#[test]
fn a_page_shows_the_parameters_in_force() {
    World::new().shows(
        "explain RBP(p=0.95)",
        str![[r#"

exit status 0
--- stdout
rbp:p=0.95   the gain per result of a reader who goes on with chance p

  formula         (1 - p) · Σ gain_i · p^(i - 1); gain 1 if grade >= rel, else 0
  how to read it  With p = 0.8 a reader looks at 5 results on average, with 0.95
                  at 20. The value lies in [rbp, rbp + rbp_residual], whatever
                  is found to be relevant later.
  blind to        What is missing: it does not know how much there was to be
                  found, so few relevant documents cap it.
  edge cases      Unjudged documents gain nothing here; the residual beside it
                  says what they could. It is over the whole list.
  values          0 to 1; higher is better; the mean over the queries is shown;
                  a perfect list can score below that (`eval` says what is
                  attainable).
  queries         Those with a relevant document.
  cutoff          None: it is over the whole list.
  :condensed      Leave unjudged documents out before the cutoff.
  :gain=binary    Relevant or not (binary), grade / largest grade of the labels
                  (graded), or of the query if above 1 (query) (binary or graded
                  or query; default binary).
  :GRADE=GAIN     Gain of a grade, as in 1=3:2=9; -1 stands for documents
                  without a judgment, -2 for those pooled only.
  :p=0.95         Persistence: chance that the reader goes on to the next rank
                  (a number from 0 to below 1; default 0.8).
  :rel=1          Grade from which a document counts as relevant (a number from
                  0; default 1; not with gain=graded or query).
  other tools     rbp of trec_eval 10 has p = 0.9 and takes grades as gains; if
                  one is above 1 it scales them by numbers that were never set
                  (rbp:gain=query:p=0.9, as in `raglens trec_eval`, divides by
                  the largest of the query). rbp.95 of ranx is p = 0.95 with raw
                  grades, which can pass 1. gain=graded divides by the largest
                  grade of all labels.
  trec_eval       None of its measures is the same.
  also written    rank_biased_precision
  source          Moffat and Zobel 2008, Rank-biased precision for measurement
                  of retrieval effectiveness (TOIS)

`raglens explain rbp:p=0.95 LABELS RUN --query ID` shows how a value comes
about.

"#]],
    );
}

#[test]
fn a_code_has_a_page() {
    World::new().shows(
        "explain w003",
        str![[r#"

exit status 0
--- stdout
W003   judged queries have no results

  appears     The labels hold a query that can be scored and that the run does
              not answer.
  means       It counts as an empty list: 0 in nearly every measure, 1 in
              rbp_residual, and no value in judged@k. A mean over the answered
              queries alone would reward a run for leaving out what is hard.
  what to do  Find out why they are missing; a search that found nothing is
              measured rightly. `--over common` leaves them out, `--over strict`
              makes them an error.

"#]],
    );
}

#[test]
fn all_codes_are_a_list() {
    World::new().shows(
        "explain codes",
        str![[r#"

exit status 0
--- stdout
codes   71 of errors, warnings and notes

Errors: nothing is measured (exit status 2)
  E001  a file cannot be read
  E002  a file holds nothing to read
  E003  a container that is not opened here
  E004  compressed data are damaged
  E005  a format that is not known
  E006  a layout without what is needed
  E007  a file of the other kind
  E008  text that is not UTF-8
  E009  text that is not JSON or CSV
  E010  a row of the wrong shape
  E011  a key or column is missing or of the wrong type
  E012  not a number, or not one that is allowed
  E013  an id that is none
  E014  a document twice in one ranking
  E015  a pair judged twice with different grades
  E016  a query comes back
  E017  some rows have a value and some have none
  E018  two names for one thing
  E019  several runs in one file
  E020  one file where two are needed
  E021  a judgment group contradicts itself
  E030  no query id is in both files
  E031  offsets in different units
  E032  no document is relevant

Warnings: they change what the numbers mean
  W001  faulty rows are left out
  W003  judged queries have no results
  W004  nothing reaches the threshold of relevance
  W005  the run has no results
  W006  no document id is in both files
  W007  copies of a document are dropped
  W008  judgments repeat earlier ones
  W009  ranks contradict scores
  W010  no document is judged not relevant
  W011  a gate is undecided
  W012  grades look like scores
  W013  judgments contradict earlier ones
  W014  grades too large for a gain of 2^grade
  W015  a converted file looks like another format
  W016  measures that the tool defines in another way
  W017  a second column or key of grades
  W020  ids whose document is not known
  W021  results without a place
  W022  offsets of an unknown kind
  W030  results from outside the pool
  W031  unanswerable queries without an answer row
  W032  queries without latency or cost
  W033  unanswerable queries with relevant documents
  W034  roles that nothing is open to
  W035  searches without a role
  W036  chunks without roles

Notes: worth knowing
  N001  queries without a relevant document are left out
  N002  equal scores at a cutoff
  N003  queries have no labels
  N005  negative grades
  N006  a header line is skipped
  N007  text in UTF-16 was converted
  N008  comment lines are skipped
  N009  results that nobody judged
  N010  queries find themselves
  N011  rows without a grade
  N012  unanswered queries are left out
  N013  ids that are not UTF-8
  N014  queries that not all compared runs have
  N015  measures without a micro average
  N020  gold passages of no length
  N021  gold passages that overlap
  N022  gold passages that hops grade differently
  N030  queries marked unanswerable
  N031  queries without a tag that others have
  N032  no document is judged not relevant
  N033  empty lists of results

`raglens explain CODE` says when one appears, what it means and what to do.

"#]],
    );
}

#[test]
fn the_departures_from_trec_eval_are_a_topic() {
    World::new().shows(
        "explain trec_eval",
        str![[r#"

exit status 0
--- stdout
trec_eval   where `raglens trec_eval` departs from trec_eval 10 on purpose

  comments   Blank lines and lines that begin with # are skipped everywhere.
             trec_eval stops at a blank line of the labels, takes the second of
             two comments for a judgment, and crashes at a last one.
  numbers    A grade that is no whole number and a score that is no number are
             errors with their line. trec_eval reads `abc` as 0, `1.9` as grade
             1 and `1,9` as score 1; --lenient does too.
  header     A first line `qid 0 docid rel` is skipped with a note and not taken
             for a query. With --lenient it is one.
  files      gzip, zstd, UTF-16 and byte-order marks are seen through, ids may
             hold blanks where tabs separate, and there is no limit of 2 GB.
             Queries are looked up: the time grows with the lines, not with the
             square of the queries.
  missing    A judged query without results and without -c is left out of the
             means and named on standard error, as trec_eval 9 did and the help
             of 10 promises. 10 itself stops with status 4; so does --strict.
  -l         A level below 0 is refused: a negative grade says "not judged".
  num_rel    Under -c it counts grades from -l on, where trec_eval counts all
             above 0. --like 9 does as 9 did.
  crashes    Labels of negative grades alone, a grade of a thousand million,
             bpref with -l above every grade: all have values. trec_eval crashes
             or reads past its memory.
  rbp        Gains are scaled between 0 and the largest grade of the query where
             that is above 1. trec_eval never sets these two numbers, so its
             graded values depend on what else it computes; on grades of 0 and 1
             both agree.
  rbp_resid  Keeps its tail p^n when every result is judged: nobody knows what
             stands below the list. trec_eval prints 0.
  ndcg       Gains that differ by less than 1 are sorted as any others:
             ndcg.1=0.5,2=0.9,3=0.7. trec_eval can print 0 there, and stops at
             dcg and ideal_dcg with parameters in one call.
  11pt_avg   0 for a list that -J leaves empty, where trec_eval prints -nan.
  -m         Parameters of repeated requests add up: -m P.5 -m P.10 prints both,
             where trec_eval prints P_5 alone.
  -Z         A query or a measure that the file lacks is -1000000, also behind
             the last one of the file, where trec_eval crashes.
  -D         Chooses a query, and prints no text for debugging.
  ids        Control characters are shown escaped, and bytes that are not UTF-8
             as \xNN.

Everything else is meant to be the same bytes. `raglens eval` has conventions of
its own: `raglens explain missing`, `raglens explain rbp`.

"#]],
    );
}

#[test]
fn the_terms_of_a_gain_stand_beside_the_best_order() {
    World::new().shows(
        "explain ndcg@5 labels.txt good.trec --query q1",
        str![[r#"

exit status 0
--- stdout
ndcg@5   good, query q1
ties trec; labels labels.txt, run good.trec

DCG / ideal DCG, DCG = Σ grade_i / log2(i + 1) over the first k; the ideal order
  is that of all judged documents, cut at k

rank  document  grade  gain  log2(rank + 1)  contribution     sum
   1  d1            3     3          1.0000        3.0000  3.0000
   2  d2            0
   3  d9            -
   4  d3            1     1          2.3219        0.4307  3.4307

The best possible order

rank  document  grade  gain  log2(rank + 1)  contribution     sum
   1  d1            3     3          1.0000        3.0000  3.0000
   2  d3            1     1          1.5850        0.6309  3.6309

grade -: not in the labels, so nobody judged it

DCG = 3.4307 (the sum over the list)
ideal = 3.6309 (the sum of the best possible order)
ndcg@5 = 0.9448 (DCG / ideal)

"#]],
    );
}

#[test]
fn a_condensed_list_shows_both_ranks() {
    World::new().shows(
        "explain map:condensed labels.txt good.trec --query q1",
        str![[r#"

exit status 0
--- stdout
map:condensed   good, query q1
ties trec, rel 1; labels labels.txt, run good.trec

(1 / R) · Σ precision@i over the ranks i <= k with grade >= rel

rank  in run  document  grade  found  precision     sum
   1       1  d1            3      1     1.0000  1.0000
   2       2  d2            0
   3       4  d3            1      2     0.6667  1.6667

rank: in the condensed list, which holds judged documents alone

sum = 1.6667 (of the precisions, found / rank)
R = 2 (relevant documents in the labels)
map:condensed = 0.8333 (sum / R)

"#]],
    );
}

#[test]
fn a_query_that_the_run_lacks_is_an_empty_list() {
    World::new().shows(
        "explain recall@5 labels.txt poor.trec --query q2",
        str![[r#"

exit status 0
--- stdout
recall@5   poor, query q2
ties trec, rel 1; labels labels.txt, run poor.trec

(documents of grade >= rel at rank 1 … k) / R, R = all documents of grade >= rel

relevant, but in none of these places: d4 (grade 1, not returned)
the run does not answer this query, which counts as an empty list

found = 0 (relevant documents in these places)
R = 1 (relevant documents in the labels)
recall@5 = 0.0000 (found / R)

"#]],
    );
}

#[test]
fn a_query_without_a_relevant_document_has_no_value() {
    World::new().shows(
        "explain recall@5 labels.txt good.trec --query q3",
        str![[r#"

exit status 0
--- stdout
recall@5   good, query q3
ties trec, rel 1; labels labels.txt, run good.trec

(documents of grade >= rel at rank 1 … k) / R, R = all documents of grade >= rel

rank  document  grade  found
   1  d5            0

the query has no relevant document (the largest grade is 0, rel is 1), so it is
  in no mean

found = 0 (relevant documents in these places)
R = 0 (relevant documents in the labels)
recall@5 = no value (found / R)

"#]],
    );
}

#[test]
fn a_way_in_json() {
    World::new().shows(
        "explain mrr labels.txt good.trec --query q2 --format json",
        str![[r#"

exit status 0
--- stdout
{
  "schema": "raglens/1",
  "command": "explain",
  "version": "0.1.0",
  "measure": "mrr",
  "query": "q2",
  "run": "good",
  "paths": [
    "labels.txt",
    "good.trec"
  ],
  "conventions": "ties trec, rel 1",
  "formula": "1 / (smallest rank <= k with grade >= rel), 0 if there is none",
  "rows": [
    {
      "rank": 1,
      "last_rank": 1,
      "rank_in_run": 1,
      "id": "d9",
      "grade": null,
      "terms": {}
    },
    {
      "rank": 2,
      "last_rank": 2,
      "rank_in_run": 2,
      "id": "d4",
      "grade": 1.0,
      "terms": {
        "1 / rank": 0.5
      }
    }
  ],
  "ideal": [],
  "ties": [],
  "missed": [],
  "steps": [],
  "rule": "1 / rank of the first that is relevant",
  "value": 0.5,
  "reason": null
}

"#]],
    );
}

#[test]
fn a_way_in_markdown() {
    World::new().shows(
        "explain precision@3 labels.txt good.trec --query q1 --format md",
        str![[r#"

exit status 0
--- stdout
### precision@3

good, query q1

ties trec, rel 1; labels labels.txt, run good.trec

- (documents of grade >= rel at rank 1 … k) / k

| rank | document | grade | found |
| --: | :-- | --: | --: |
| 1 | d1 | 3 | 1 |
| 2 | d2 | 0 |  |
| 3 | d9 | - |  |

- grade -: not in the labels, so nobody judged it
- relevant, but in none of these places: d3 (grade 1, rank 4)

- found = 1 (relevant documents in these places)
- k = 3 (places, whether filled or not)
- precision@3 = 0.3333 (found / k)

"#]],
    );
}

#[test]
fn what_is_unknown_has_a_suggestion() {
    let world = World::new();
    let help = |arguments: &str| {
        let ran = world.run(&format!("explain {arguments}"));
        assert_eq!((ran.status, ran.stdout.as_str()), (Some(2), ""), "{ran}");
        ran.stderr
    };
    assert!(help("ndgc@10").contains("did you mean `ndcg@10`?"));
    assert!(help("treceval10").contains("nothing is called `treceval10`"));
    assert!(help("tie_s").contains("did you mean `ties`?"));
    assert!(help("W002").contains("near are W001, W003, W004"));
    assert!(help("rbp:p=2").contains("a number from 0 to below 1"));
    assert!(help(&format!("recall {FILES} --query q7")).contains("did you mean `q1`, `q2`, `q3`?"));
    assert!(help(&format!("codes {FILES} --query q1")).contains("`codes` has no value"));
    assert!(help(&format!("recall {FILES}")).contains("--query <ID>"));
    assert!(help("recall --query q1").contains("<LABELS>"));
    assert!(help(&format!("unjudged {FILES} --query q1")).contains("unjudged@10"));
    assert!(help(&format!("recall {FILES} --query q1 --average micro")).contains("one query has no average"));
    assert!(help("recall labels.txt poor.trec --query q2 --over strict").contains("lacks the query `q2`"));
    let common = world.run("explain recall labels.txt poor.trec --query q2 --over common");
    assert!(common.stdout.ends_with("recall = no value (found / R)\n"), "{common}");
}

/// The last line that is not the rest of the one above it.
fn last_line(text: &str) -> &str {
    text.lines().rfind(|line| !line.starts_with(' ')).unwrap()
}

#[test]
fn the_last_line_is_what_eval_prints() {
    let world = World::new();
    let measures =
        "-m all,map:condensed,rbp:gain=graded,rbp_residual:tail,iprec@0.5,gm_map,bpref:variant=10,g,rndcg,yaap,utility";
    for options in ["--rel 2", "--ties id-asc", ""] {
        let eval = world.run(&format!("eval {FILES} {measures} -k 3 -q --format csv --quiet {options}"));
        let rows = eval.stdout.split("\n\n").last().unwrap().lines().skip(1);
        let mut compared = 0;
        for row in rows.filter(|row| row.split(',').nth(1) == Some("q1")) {
            let [_, query, label, value] = row.split(',').collect::<Vec<_>>()[..] else { panic!("{row}") };
            let explain = format!("explain {label} {FILES} --query {query} {options} --digits 9");
            let (text, shown) = (world.run(&explain), value.parse::<f64>().ok());
            let shown = match shown {
                Some(count) if label.starts_with("num_") => format!("{label} = {count}"),
                Some(value) => format!("{label} = {value:.9}"),
                None => format!("{label} = no value"),
            };
            assert!(last_line(&text.stdout).starts_with(&shown), "{explain}\n{shown}\n{text}");
            let json = world.run(&format!("{explain} --format json")).stdout;
            let value = if value.is_empty() { "null" } else { value };
            assert!(json.contains(&format!("\n  \"value\": {value}")), "{explain}: {value}\n{json}");
            compared += 1;
        }
        assert!(compared > 40, "{compared} {eval}");
    }
}

#[test]
fn every_page_fits_into_eighty_columns() {
    let world = World::new();
    let long = format!("q1 Q0 d1-{} 1 9.0 good\n", "x".repeat(200));
    let labels = format!("q1 0 d1-{} 3\nq1 0 d4 1e-9\n", "x".repeat(200));
    let world = world.with("long.trec", long).with("long.txt", labels);
    let pages = [
        "explain",
        "explain all",
        "explain codes",
        "explain names",
        "explain ties",
        "explain missing",
        "explain trec_eval",
        "explain -h",
        "explain --help",
        "explain infap long.txt long.trec --query q1",
        "explain ndcg:condensed@10 long.txt long.trec --query q1 --digits 9",
        "explain err labels.txt good.trec --query q1 --plain",
    ];
    for arguments in pages {
        let ran = world.run(arguments);
        assert_eq!(ran.status, Some(0), "{ran}");
        for line in ran.stdout.lines() {
            assert!(line.width() <= 80, "{arguments}: {line}");
        }
    }
}

#[test]
fn equal_scores_are_named_where_they_decide() {
    let world = World::new().with("tied.trec", "q1 Q0 d1 1 2 r\nq1 Q0 d2 2 1 r\nq1 Q0 d3 3 1 r\nq1 Q0 d9 4 0 r\n");
    let shown = |ties: &str| {
        let ran = world.run(&format!("explain mrr:rel=2 labels.txt tied.trec --query q1 {ties}"));
        ran.stdout.lines().filter(|line| line.contains("  d3 ") || line.contains("equal")).collect::<Vec<_>>().join("|")
    };
    let note = "equal scores at ranks 2 to 3: the rule for ties orders them";
    assert_eq!(shown(""), format!("   2  d3            1|{note}"));
    assert_eq!(shown("--ties input"), format!("   3  d3            1|{note}"));
}

#[test]
fn labels_and_results_may_stand_in_one_file() {
    let both = r#"{"query_id":"q1","relevant":["d2"],"retrieved":["d1","d2"]}"#;
    let ran = World::new().with("both.jsonl", both).run("explain mrr both.jsonl --query q1");
    assert!(ran.stdout.ends_with("mrr = 0.5000 (1 / rank of the first that is relevant)\n"), "{ran}");
}
