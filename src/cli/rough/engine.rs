//! `--engine`: tables that a cluster reads.

/// Who answers.
#[derive(clap::Args)]
pub struct Asked {
    /// Let a Spark cluster answer, which reads TABLE itself: s3://…, hdfs://… or an absolute path of a Parquet file or a folder of them. The
    /// address is that of Spark Connect
    #[arg(long, value_name = "spark://HOST:PORT")]
    pub engine: Option<String>,
}

/// Who answers, and whether rows are fetched.
#[derive(clap::Args)]
pub struct Fetching {
    #[command(flatten)]
    pub asked: Asked,
    /// For --engine: fetch the distinct rows and work here if they have at most so many values; else rows stay where they are, and
    /// a reduct is one by --method backward
    #[arg(long, value_name = "VALUES", default_value_t = 100_000_000)]
    pub fetch: u64,
}
