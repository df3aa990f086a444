use raglens::evaluate::{Rules, evaluate};
use raglens::input::{ReadOptions, Source, read_labels, read_run};
use raglens::measure::Measure;
use raglens::notes::Notes;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (options, mut notes) = (ReadOptions::default(), Notes::default());
    let (labels, _) = read_labels(Source::open("fixtures/labels.jsonl")?, &options, &mut notes)?;
    let (run, _) = read_run(Source::open("fixtures/hybrid.trec")?, &options, &mut notes)?;
    let measures = [Measure::parse("ndcg@10")?, Measure::parse("recall@5")?];
    let table = evaluate(&labels, &run, &measures, &Rules::default())?;
    println!("ndcg@10 {:?}", table.summary(0).mean);
    Ok(())
}
