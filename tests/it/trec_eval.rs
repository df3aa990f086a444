//! The drop-in for trec_eval as a person meets it. What it computes is tested in
//! `tests/trec_eval`.

use snapbox::str;

use crate::world::World;

#[test]
fn an_ordinary_run_prints_what_trec_eval_prints() {
    World::new().shows(
        "trec_eval labels.txt good.trec",
        str![[r#"

exit status 0
--- stdout
runid                 	all	good
num_q                 	all	3
num_ret               	all	7
num_rel               	all	3
num_rel_ret           	all	3
map                   	all	0.4167
gm_map                	all	0.0155
Rprec                 	all	0.1667
bpref                 	all	0.5000
recip_rank            	all	0.5000
iprec_at_recall_0.00  	all	0.5000
iprec_at_recall_0.10  	all	0.5000
iprec_at_recall_0.20  	all	0.5000
iprec_at_recall_0.30  	all	0.5000
iprec_at_recall_0.40  	all	0.5000
iprec_at_recall_0.50  	all	0.5000
iprec_at_recall_0.60  	all	0.5000
iprec_at_recall_0.70  	all	0.5000
iprec_at_recall_0.80  	all	0.3333
iprec_at_recall_0.90  	all	0.3333
iprec_at_recall_1.00  	all	0.3333
P_5                   	all	0.2000
P_10                  	all	0.1000
P_15                  	all	0.0667
P_20                  	all	0.0500
P_30                  	all	0.0333
P_100                 	all	0.0100
P_200                 	all	0.0050
P_500                 	all	0.0020
P_1000                	all	0.0010

"#]],
    );
}

#[test]
fn queries_without_results_are_named() {
    World::new().shows(
        "trec_eval -q -m map -m P.1 labels.txt poor.trec",
        str![[r#"

exit status 0
--- stdout
map                   	q1	0.2500
P_1                   	q1	0.0000
map                   	q3	0.0000
P_1                   	q3	0.0000
map                   	all	0.1250
P_1                   	all	0.0000
--- stderr
note[N012]: poor.trec: 1 judged query has no results and is left out: q2

"#]],
    );
    World::new().shows(
        "trec_eval -c -m map -m P.1 labels.txt poor.trec",
        str![[r#"

exit status 0
--- stdout
map                   	all	0.0833
P_1                   	all	0.0000

"#]],
    );
    World::new().shows(
        "trec_eval --strict -m map labels.txt poor.trec",
        str![[r#"

exit status 4
--- stderr
error: poor.trec: 1 query of the labels without results: `q2`
  help: -c counts them as 0; without --strict they are left out

"#]],
    );
    World::new().shows(
        "--quiet trec_eval -m map labels.txt poor.trec",
        str![[r#"

exit status 0
--- stdout
map                   	all	0.1250

"#]],
    );
}

#[test]
fn help_lists_every_option_measure_and_departure() {
    World::new().shows(
        "trec_eval -h",
        str![[r#"

exit status 0
--- stdout
Usage: raglens trec_eval [OPTIONS] LABELS RUN

Prints what trec_eval 10 prints for the same arguments: name, query, value. RUN
can be `-`, standard input. Files may be packed with gzip or zstd.

  -q, --query_eval_wanted         lines for every query in front of those of all
  -m, --measure NAME[.PARAMS]     a measure or a nickname, as often as wanted;
                                  without one, official
  -c, --complete_rel_info_wanted  means over all queries of the labels; those
                                  without results count as 0. Otherwise they are
                                  left out and named on standard error
  -l, --level_for_rel GRADE       grade from which a document is relevant [1]
  -n, --nosummary                 no lines for all queries together
  -J, --Judged_docs_only          results that nobody judged are removed
  -M, --Max_retrieved_per_topic N only the first N results of a query count
  -N, --Number_docs_in_coll N     documents in the collection, for utility [0]
  -D, --Debug_level N[.QUERY]     only this query; no debugging text
  -R, --Rel_info_format FORMAT    of LABELS: qrels, qrels_jg, prefs, qrels_prefs
  -T, --Results_format FORMAT     of RUN: trec_results
  -Z, --Zscore FILE               Z scores; rows of qid measure mean deviation
  -o                              accepted and without effect
  -v, --version                   the version, on standard error
  -h, --help                      this; with -m, what is said about the measures

Not in trec_eval:
      --strict                    a judged query without results is an error (4)
      --lenient                   numbers as C reads them: `abc` 0, `1.9` 1
      --like 9                    what 9.0 prints: recall points as there,
                                  32-bit scores, no rbp, rbp_resid and unj

Exit status: 0 done, 1 usage or unknown measure, 2 file or parameter, 4 query
that cannot be scored, 7 no query at all, 255 file of -Z.

Measures (`-h -m NAME` says more):
  runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref recip_rank
  iprec_at_recall P relstring recall infAP gm_bpref Rprec_mult utility 11pt_avg
  binG G dcg ideal_dcg ndcg ndcg_rel Rndcg ndcg_cut map_cut relative_P success
  set_P set_relative_P set_recall set_map set_F num_nonrel_judged_ret
  prefs_num_prefs_poss prefs_num_prefs_ful prefs_num_prefs_ful_ret prefs_simp
  prefs_pair prefs_avgjg prefs_avgjg_Rnonrel prefs_simp_ret prefs_pair_ret
  prefs_avgjg_ret prefs_avgjg_Rnonrel_ret prefs_simp_imp prefs_pair_imp
  prefs_avgjg_imp map_avgjg P_avgjg Rprec_mult_avgjg yaap rbp rbp_resid unj

Nicknames:
  official  runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref
            recip_rank iprec_at_recall P
  set       runid num_q num_ret num_rel num_rel_ret utility set_P set_recall
            set_relative_P set_map set_F
  all_trec  runid num_q num_ret num_rel num_rel_ret map gm_map Rprec bpref
            recip_rank iprec_at_recall P relstring recall unj rbp rbp_resid
            infAP gm_bpref utility 11pt_avg ndcg relative_P Rprec_mult success
            map_cut ndcg_cut ndcg_rel Rndcg binG G set_P set_recall
            set_relative_P set_map set_F num_nonrel_judged_ret
  all_prefs runid num_q prefs_num_prefs_poss prefs_num_prefs_ful
            prefs_num_prefs_ful_ret prefs_simp prefs_pair prefs_avgjg
            prefs_avgjg_Rnonrel prefs_simp_ret prefs_pair_ret prefs_avgjg_ret
            prefs_avgjg_Rnonrel_ret prefs_simp_imp prefs_pair_imp
            prefs_avgjg_imp
  prefs     runid num_q prefs_num_prefs_poss prefs_num_prefs_ful
            prefs_num_prefs_ful_ret prefs_simp prefs_pair prefs_avgjg
  qrels_jg  runid num_q map_avgjg P_avgjg Rprec_mult_avgjg

Where it differs from trec_eval 10, on purpose:
  comments  Blank lines and lines that begin with # are skipped everywhere.
            trec_eval stops at a blank line of the labels, takes the second of
            two comments for a judgment, and crashes at a last one.
  numbers   A grade that is no whole number and a score that is no number are
            errors with their line. trec_eval reads `abc` as 0, `1.9` as grade 1
            and `1,9` as score 1; --lenient does too.
  header    A first line `qid 0 docid rel` is skipped with a note and not taken
            for a query. With --lenient it is one.
  files     gzip, zstd, UTF-16 and byte-order marks are seen through, ids may
            hold blanks where tabs separate, and there is no limit of 2 GB.
            Queries are looked up: the time grows with the lines, not with the
            square of the queries.
  missing   A judged query without results and without -c is left out of the
            means and named on standard error, as trec_eval 9 did and the help
            of 10 promises. 10 itself stops with status 4; so does --strict.
  -l        A level below 0 is refused: a negative grade says "not judged".
  num_rel   Under -c it counts grades from -l on, where trec_eval counts all
            above 0. --like 9 does as 9 did.
  crashes   Labels of negative grades alone, a grade of a thousand million,
            bpref with -l above every grade: all have values. trec_eval crashes
            or reads past its memory.
  rbp       Gains are scaled between 0 and the largest grade of the query where
            that is above 1. trec_eval never sets these two numbers, so its
            graded values depend on what else it computes; on grades of 0 and 1
            both agree.
  rbp_resid Keeps its tail p^n when every result is judged: nobody knows what
            stands below the list. trec_eval prints 0.
  ndcg      Gains that differ by less than 1 are sorted as any others:
            ndcg.1=0.5,2=0.9,3=0.7. trec_eval can print 0 there, and stops at
            dcg and ideal_dcg with parameters in one call.
  11pt_avg  0 for a list that -J leaves empty, where trec_eval prints -nan.
  -m        Parameters of repeated requests add up: -m P.5 -m P.10 prints both,
            where trec_eval prints P_5 alone.
  -Z        A query or a measure that the file lacks is -1000000, also behind
            the last one of the file, where trec_eval crashes.
  -D        Chooses a query, and prints no text for debugging.
  ids       Control characters are shown escaped, and bytes that are not UTF-8
            as \xNN.

"#]],
    );
}

#[test]
fn help_about_measures_is_that_of_the_table() {
    World::new().shows(
        "trec_eval -h -m map -m P -m runid",
        str![[r#"

exit status 0
--- stdout
Usage: raglens trec_eval [OPTIONS] LABELS RUN

Prints what trec_eval 10 prints for the same arguments: name, query, value. RUN
can be `-`, standard input. Files may be packed with gzip or zstd.

  -q, --query_eval_wanted         lines for every query in front of those of all
  -m, --measure NAME[.PARAMS]     a measure or a nickname, as often as wanted;
                                  without one, official
  -c, --complete_rel_info_wanted  means over all queries of the labels; those
                                  without results count as 0. Otherwise they are
                                  left out and named on standard error
  -l, --level_for_rel GRADE       grade from which a document is relevant [1]
  -n, --nosummary                 no lines for all queries together
  -J, --Judged_docs_only          results that nobody judged are removed
  -M, --Max_retrieved_per_topic N only the first N results of a query count
  -N, --Number_docs_in_coll N     documents in the collection, for utility [0]
  -D, --Debug_level N[.QUERY]     only this query; no debugging text
  -R, --Rel_info_format FORMAT    of LABELS: qrels, qrels_jg, prefs, qrels_prefs
  -T, --Results_format FORMAT     of RUN: trec_results
  -Z, --Zscore FILE               Z scores; rows of qid measure mean deviation
  -o                              accepted and without effect
  -v, --version                   the version, on standard error
  -h, --help                      this; with -m, what is said about the measures

Not in trec_eval:
      --strict                    a judged query without results is an error (4)
      --lenient                   numbers as C reads them: `abc` 0, `1.9` 1
      --like 9                    what 9.0 prints: recall points as there,
                                  32-bit scores, no rbp, rbp_resid and unj

Exit status: 0 done, 1 usage or unknown measure, 2 file or parameter, 4 query
that cannot be scored, 7 no query at all, 255 file of -Z.

runid
  the name that a run gives itself
  the last column of a run in TREC form

map
  precision at the rank of each relevant document, averaged over all of them
  (1 / R) · Σ precision@i over the ranks i <= k with grade >= rel

P_5 P_10 P_15 P_20 P_30 P_100 P_200 P_500 P_1000
  the share of the first k that is relevant
  (documents of grade >= rel at rank 1 … k) / k

"#]],
    );
}

#[test]
fn the_version_goes_to_standard_error() {
    World::new().shows(
        "trec_eval --version",
        str![[r#"

exit status 0
--- stderr
trec_eval version 10.0-rc3 (raglens 0.1.0)

"#]],
    );
}

#[test]
fn wrong_usage_is_explained() {
    World::new().shows(
        "trec_eval labels.txt",
        str![[r#"

exit status 1
--- stderr
error: expected labels and a run, found only `labels.txt`
  help: `raglens trec_eval -h` shows every option
          raglens trec_eval [-q] [-c] [-l GRADE] [-m MEASURE]... LABELS RUN

"#]],
    );
    World::new().shows(
        "trec_eval -x labels.txt good.trec",
        str![[r#"

exit status 1
--- stderr
error: there is no option -x
  help: `raglens trec_eval -h` shows every option
          raglens trec_eval [-q] [-c] [-l GRADE] [-m MEASURE]... LABELS RUN

"#]],
    );
    World::new().shows(
        "trec_eval -m P_10 labels.txt good.trec",
        str![[r#"

exit status 1
--- stderr
error: trec_eval has no measure `P_10`
  help: did you mean `P.10`?

"#]],
    );
    World::new().shows(
        "trec_eval -m P.5,0 labels.txt good.trec",
        str![[r#"

exit status 2
--- stderr
error: P: a cutoff is a whole number from 1, not `0`

"#]],
    );
    World::new().shows(
        "trec_eval -m prefs labels.txt good.trec",
        str![[r#"

exit status 4
--- stderr
error: prefs_num_prefs_poss needs preferences, which -R qrels has not
  help: -R prefs or -R qrels_prefs reads them

"#]],
    );
    World::new().shows(
        "trec_eval -R xml labels.txt good.trec",
        str![[r#"

exit status 2
--- stderr
error: -R knows no format `xml`
  help: it takes qrels, qrels_jg, prefs, qrels_prefs

"#]],
    );
    World::new().shows(
        "trec_eval -l -2 labels.txt good.trec",
        str![[r#"

exit status 1
--- stderr
error: -l takes a grade from 0 on, not -2: a negative grade says "not judged"
  help: `raglens trec_eval -h` shows every option
          raglens trec_eval [-q] [-c] [-l GRADE] [-m MEASURE]... LABELS RUN

"#]],
    );
    World::new().shows(
        "trec_eval labels.txt nowhere.trec",
        str![[r#"

exit status 2
--- stderr
error[E001]: nowhere.trec: cannot be read: there is no such file

"#]],
    );
}

#[test]
fn faults_of_files_name_the_line_and_the_way_on() {
    let world = World::new().with("fraction.qrels", "q1 0 d1 0.5\n").with("five.trec", "q1 Q0 d1 1 9.0\n");
    world.shows(
        "trec_eval fraction.qrels good.trec",
        str![[r#"

exit status 2
--- stderr
error[E012]: grade must be a whole number: `0.5`
 --> fraction.qrels:1:9
  |
1 | q1 0 d1 0.5
  |         ^^^
  |
  = note: read as TREC qrels: qid iter docid grade
  = help: `--lenient` reads it as trec_eval does: up to where it stops being a
          number

"#]],
    );
    world.shows(
        "trec_eval labels.txt five.trec",
        str![[r#"

exit status 2
--- stderr
error[E010]: expected 6 columns (qid iter docid rank score tag), found 5
 --> five.trec:1:1
  |
1 | q1 Q0 d1 1 9.0
  | ^^^^^^^^^^^^^^
  |
  = note: read as TREC run: qid iter docid rank score tag

"#]],
    );
    let twice = World::new().with("twice.trec", "q1 Q0 d1 1 9 t\nq1 Q0 d1 2 8 t\n");
    twice.shows(
        "trec_eval labels.txt twice.trec",
        str![[r#"

exit status 4
--- stderr
error[E014]: document `d1` is twice in the ranking of query `q1` (first at line
             1)
 --> twice.trec:2:7
  |
2 | q1 Q0 d1 2 8 t
  |       ^^
  |
  = note: read as TREC run: qid iter docid rank score tag
  = help: trec_eval stops here too; `raglens eval` can keep one of them

"#]],
    );
    let copies = World::new().with("copies.qrels", "q1 0 d1 1\nq1 0 d1 1\n");
    copies.shows(
        "trec_eval copies.qrels good.trec",
        str![[r#"

exit status 4
--- stderr
error: copies.qrels: 1 judgment repeats an earlier one
  help: trec_eval stops here too; `raglens eval` counts them once

"#]],
    );
    let other = World::new().with("other.trec", "7 Q0 d1 1 9 t\n");
    other.shows(
        "trec_eval labels.txt other.trec",
        str![[r#"

exit status 7
--- stderr
error: no query id is in both files
  labels   labels.txt   3 queries   "q1", "q2", "q3"
  run      other.trec   1 query     "7"

"#]],
    );
    let floats = World::new().with("floats.trec", "q1.0 Q0 d1 1 9 t\nq2.0 Q0 d4 1 9 t\n");
    floats.shows(
        "trec_eval labels.txt floats.trec",
        str![[r#"

exit status 7
--- stderr
error: no query id is in both files
  labels   labels.txt    3 queries   "q1", "q2", "q3"
  run      floats.trec   2 queries   "q1.0", "q2.0"
  help: the run's ids end in `.0` (a float column of pandas?); `raglens eval`
        can mend that:
          --edit-query-ids 's/\.0$//'

"#]],
    );
    let documents = World::new().with("documents.trec", "q1 Q0 D1 1 9 t\nq2 Q0 D4 1 9 t\n");
    documents.shows(
        "trec_eval -c -m map labels.txt documents.trec",
        str![[r#"

exit status 0
--- stdout
map                   	all	0.0000
--- stderr
warning[W006]: documents.trec: no document id is in both files: "d1", "d2",
  "d3", ... in the labels, "D1", "D4" in the run

"#]],
    );
    World::new().shows(
        "trec_eval -D 0.q7 labels.txt good.trec",
        str![[r#"

exit status 7
--- stderr
error: no query `q7` has labels and results

"#]],
    );
}
