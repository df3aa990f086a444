//! Where `raglens trec_eval` differs from trec_eval 10 on purpose, for help and for `explain`.

/// A few words, and what there is to say.
pub static DEPARTURES: &[(&str, &str)] = &[
    (
        "comments",
        "Blank lines and lines that begin with # are skipped everywhere. trec_eval stops at a blank line of the \
                  labels, takes the second of two comments for a judgment, and crashes at a last one.",
    ),
    (
        "numbers",
        "A grade that is no whole number and a score that is no number are errors with their line. trec_eval \
                 reads `abc` as 0, `1.9` as grade 1 and `1,9` as score 1; --lenient does too.",
    ),
    (
        "header",
        "A first line `qid 0 docid rel` is skipped with a note and not taken for a query. With --lenient it is one.",
    ),
    (
        "files",
        "gzip, zstd, UTF-16 and byte-order marks are seen through, ids may hold blanks where tabs separate, and \
               there is no limit of 2 GB. Queries are looked up: the time grows with the lines, not with the square of \
               the queries.",
    ),
    (
        "missing",
        "A judged query without results and without -c is left out of the means and named on standard error, \
                 as trec_eval 9 did and the help of 10 promises. 10 itself stops with status 4; so does --strict.",
    ),
    ("-l", "A level below 0 is refused: a negative grade says \"not judged\"."),
    ("num_rel", "Under -c it counts grades from -l on, where trec_eval counts all above 0. --like 9 does as 9 did."),
    (
        "crashes",
        "Labels of negative grades alone, a grade of a thousand million, bpref with -l above every grade: all \
                 have values. trec_eval crashes or reads past its memory.",
    ),
    (
        "rbp",
        "Gains are scaled between 0 and the largest grade of the query where that is above 1. trec_eval never sets \
             these two numbers, so its graded values depend on what else it computes; on grades of 0 and 1 both agree.",
    ),
    (
        "rbp_resid",
        "Keeps its tail p^n when every result is judged: nobody knows what stands below the list. trec_eval \
                   prints 0.",
    ),
    (
        "ndcg",
        "Gains that differ by less than 1 are sorted as any others: ndcg.1=0.5,2=0.9,3=0.7. trec_eval can print 0 \
              there, and stops at dcg and ideal_dcg with parameters in one call.",
    ),
    ("11pt_avg", "0 for a list that -J leaves empty, where trec_eval prints -nan."),
    ("-m", "Parameters of repeated requests add up: -m P.5 -m P.10 prints both, where trec_eval prints P_5 alone."),
    (
        "-Z",
        "A query or a measure that the file lacks is -1000000, also behind the last one of the file, where trec_eval \
            crashes.",
    ),
    ("-D", "Chooses a query, and prints no text for debugging."),
    ("ids", "Control characters are shown escaped, and bytes that are not UTF-8 as \\xNN."),
];
