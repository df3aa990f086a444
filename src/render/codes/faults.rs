//! What each code of a fault means, when it appears and what to do.

use super::Explanation;

/// Every code of a fault, in the order of their numbers.
pub static EXPLANATIONS: &[Explanation] = &[
    Explanation {
        code: "E001",
        title: "a file cannot be read",
        appears: "The path does not exist, is a folder, or may not be opened.",
        means: "Nothing was measured.",
        remedy: "Look at the path: it is taken from the working folder. `-` is standard input.",
    },
    Explanation {
        code: "E002",
        title: "a file holds nothing to read",
        appears: "The file is empty, holds blank lines and comments alone, or all of its rows are faulty.",
        means: "Nothing was measured: a run without results would score 0 everywhere, which is more often a broken \
                export than a search that finds nothing.",
        remedy: "Write the file again. If the run is empty on purpose, `--allow-empty` scores it.",
    },
    Explanation {
        code: "E003",
        title: "a container that is not opened here",
        appears: "The file is bzip2, xz, zip, Parquet or another container that is recognised by its first bytes.",
        means: "The content may be fine; it has to be unpacked or converted first. gzip and zstandard are opened.",
        remedy: "The message holds a command that makes a file that can be read.",
    },
    Explanation {
        code: "E004",
        title: "compressed data are damaged",
        appears: "A gzip or zstandard file ends too early or fails its checksum.",
        means: "A part of the rows is missing or wrong, so that no number can be trusted.",
        remedy: "Copy or download the file again; `gzip -t FILE` or `zstd -t FILE` tests it.",
    },
    Explanation {
        code: "E005",
        title: "a format that is not known",
        appears: "Nothing at the start of the file fits a format, or `--labels-format` and `--run-format` name one \
                  that does not exist.",
        means: "Nothing was read: a file is never taken for something that it only resembles.",
        remedy: "Compare the first lines with the formats that the message names. A table needs a header with names \
                 such as query_id, doc_id and score.",
    },
    Explanation {
        code: "E006",
        title: "a layout without what is needed",
        appears: "The file is recognised but holds no ids, or ids that cannot be told apart: goldens of texts alone, \
                  or an edit of ids that leaves nothing of one. Or `convert` is asked for a layout that would give an \
                  id back as another.",
        means: "Ids are compared and no text is looked at, so without them there is nothing to measure with.",
        remedy: "Export the ids of the retrieved documents beside their texts; the message says under which key. \
                 `convert --to jsonl` holds every id that is text.",
    },
    Explanation {
        code: "E007",
        title: "a file of the other kind",
        appears: "A run stands where labels are expected, or labels where a run is.",
        means: "Most often the two arguments are swapped.",
        remedy: "Labels come first, then runs: `raglens eval LABELS RUN`.",
    },
    Explanation {
        code: "E008",
        title: "text that is not UTF-8",
        appears: "A JSON or CSV file holds bytes that are no UTF-8; the line is shown.",
        means: "The text was written in another encoding, and ids would not match.",
        remedy: "`iconv -f LATIN1 -t UTF-8 FILE` converts it. Files in the TREC layout may hold ids of any bytes.",
    },
    Explanation {
        code: "E009",
        title: "text that is not JSON or CSV",
        appears: "The syntax is broken at the place shown: an unclosed quote or bracket, a NaN, a line cut short.",
        means: "From there on nobody can say what belongs together.",
        remedy: "Mend the line, or write the file again. In a file of one object a line, `--on-error skip` leaves such \
                 lines out and counts them.",
    },
    Explanation {
        code: "E010",
        title: "a row of the wrong shape",
        appears: "A row has more or fewer columns than the format or its header, separates them by other characters \
                  than its neighbours, or is too long to be a row.",
        means: "A value could be taken for that of another column.",
        remedy: "Look at the row: an id with a blank in it, a missing tag, two files joined. `--on-error skip` leaves \
                 such rows out and counts them.",
    },
    Explanation {
        code: "E011",
        title: "a key or column is missing or of the wrong type",
        appears: "A row lacks a name that it needs, holds a list where a number belongs, or a column of an unknown \
                  name may be the grade or the score.",
        means: "What is not known is never passed over: a score under another name would leave the order to chance.",
        remedy: "Rename the column as the message says, or leave out those that are not meant.",
    },
    Explanation {
        code: "E012",
        title: "not a number, or not one that is allowed",
        appears: "A score, grade or rank is text, NaN, infinite, or out of its range.",
        means: "Tools that read such text as 0 give a ranking or a label that nobody wrote.",
        remedy: "Mend the value; numbers take a decimal point. `--on-error skip` leaves such rows out and counts them.",
    },
    Explanation {
        code: "E013",
        title: "an id that is none",
        appears: "An id is empty, null, a fraction, true or false, a list, or begins with a character that nobody \
                  sees.",
        means: "Two programs would write it differently, so it could silently match nothing.",
        remedy: "Write ids as text or whole numbers. A column of whole numbers that became 1.0, 2.0, ... was read as \
                 numbers with gaps by another program.",
    },
    Explanation {
        code: "E014",
        title: "a document twice in one ranking",
        appears: "A query's results hold one document id two times; both places are shown.",
        means: "Counted twice, recall could pass 1; chunks that share a document id are the usual cause.",
        remedy: "`--duplicates first` keeps the best-ranked one and closes the gap. For chunks named doc#1, doc#2 use \
                 `--collapse '#'`.",
    },
    Explanation {
        code: "E015",
        title: "a pair judged twice with different grades",
        appears: "One query and document stand in the labels two times, and the grades differ.",
        means: "Which grade holds is not for a tool to guess.",
        remedy: "`--duplicate-labels max` keeps the largest grade, `--duplicate-labels last` the last one. If the \
                 second column holds subtopics, max keeps what is relevant to any of them.",
    },
    Explanation {
        code: "E016",
        title: "a query comes back",
        appears: "A layout with one query a line has a query twice, a layout with one search call a line has a step \
                  of a query twice, or a stream that is read only once returns to a query that was finished.",
        means: "Two lists for one query cannot both be its ranking.",
        remedy: "Join the lists, or sort the run by query. Steps of one search session need a `step` in each line, \
                 each another.",
    },
    Explanation {
        code: "E017",
        title: "some rows have a value and some have none",
        appears: "Within one ranking some results have a score and some have none, or some rows of labels have a \
                  grade.",
        means: "There is no one order, or no one meaning of a missing grade.",
        remedy: "Give the value in all rows or in none: without scores the order of the list counts, without grades \
                 every row counts as relevant.",
    },
    Explanation {
        code: "E018",
        title: "two names for one thing",
        appears: "A JSON object has a key twice, or rows have two columns or keys that mean the same.",
        means: "Which of the two is meant would be a guess.",
        remedy: "Leave one of the two out, or give it another name.",
    },
    Explanation {
        code: "E019",
        title: "several runs in one file",
        appears: "The file holds several subsets, such as the predictions of MTEB, and none or no single one was \
                  chosen.",
        means: "Rankings of different collections cannot be one run.",
        remedy: "`--subset NAME` chooses one; the message lists them.",
    },
    Explanation {
        code: "E020",
        title: "one file where two are needed",
        appears: "A single file was given, and it holds labels or results but not both.",
        means: "A measure needs both.",
        remedy: "Labels come first, then runs: `raglens eval LABELS RUN`. One file is enough when its rows hold both.",
    },
    Explanation {
        code: "E021",
        title: "a judgment group contradicts itself",
        appears: "Labels of judgment groups (`qrels_jg`, `prefs`, `qrels_prefs`) grade a document twice for one group, \
                  or prefer each of two documents to the other.",
        means: "A group is one reader's view of a query, and has one grade or one order for a document. Groups may \
                disagree with each other.",
        remedy: "Give the second opinion a group of its own, or leave one of the lines out.",
    },
    Explanation {
        code: "E030",
        title: "no query id is in both files",
        appears: "`check` holds a run against labels, and they speak of other queries.",
        means: "Nothing can be measured: every query would count as an empty list.",
        remedy: "Follow the flag that the message names, or look whether the files belong together.",
    },
    Explanation {
        code: "E031",
        title: "offsets in different units",
        appears: "Labels and run say in their first line what their offsets count, and it is not the same.",
        means: "Passages and chunks cannot be laid over each other: the same place has other numbers in bytes, \
                characters and UTF-16.",
        remedy: "Convert one of them; Python counts characters, Rust and Go bytes, JavaScript UTF-16.",
    },
    Explanation {
        code: "E032",
        title: "no document is relevant",
        appears: "`check` reads labels in which no grade is above 0, and nothing but grades.",
        means: "Nothing can be measured: every query would be left out.",
        remedy: "Give the relevant documents a grade of 1 or more.",
    },
];
