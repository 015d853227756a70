//! Spark Connect: what is sent for a question, and how its answer is received.

#![expect(clippy::result_large_err, reason = "errors of the library are as large, and come once a query at most")]

use std::io::Cursor;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arrow::ipc::reader::StreamReader;
use arrow::record_batch::RecordBatch;
use spark_connect_core::{ChannelBuilder, ExecutePlanResponseReattachableIterator, Result, SparkConnectClient};
use spark_connect_core::{SparkError, block_on};
use spark_connect_proto::analyze_plan_request::{Analyze, Schema};
use spark_connect_proto::data_type::Kind;
use spark_connect_proto::execute_plan_response::{ArrowBatch, ResponseType};
use spark_connect_proto::{AnalyzePlanRequest, ExecutePlanRequest, Plan, Relation, RelationCommon, Sql, UserContext};
use spark_connect_proto::{analyze_plan_response, plan, relation};

/// A stream that ends sooner than this and has brought nothing is not asked to go on.
const SHORTEST: Duration = Duration::from_secs(1);

/// A session on a server.
#[derive(Clone)]
pub struct Connection(Arc<SparkConnectClient>);

impl Connection {
    /// To HOST:PORT; nothing is sent yet.
    pub fn to(address: &str) -> Result<Self> {
        let builder = ChannelBuilder::parse(&format!("sc://{address}"))?;
        Ok(Self(Arc::new(block_on(SparkConnectClient::connect(&builder))?)))
    }

    /// The rows that a statement answers with.
    pub fn execute(&self, sql: &str) -> Result<Vec<RecordBatch>> {
        let request = ExecutePlanRequest {
            session_id: self.0.session_id().to_owned(),
            user_context: Some(UserContext::default()),
            plan: Some(plan_of(sql)),
            ..ExecutePlanRequest::default()
        };
        block_on(self.receive(ExecutePlanResponseReattachableIterator::new(request)))
    }

    /// Receives an answer until the server says that it is whole. Spark ends each stream after two minutes, and a connection may break: then
    /// the answer goes on in another stream, from where it was.
    async fn receive(&self, position: ExecutePlanResponseReattachableIterator) -> Result<Vec<RecordBatch>> {
        let mut stream = self.0.execute_plan(position.request().clone()).await?;
        let (mut since, mut is_new) = (Instant::now(), true);
        let mut batches = Vec::new();
        loop {
            let broken = match stream.message().await {
                Ok(Some(response)) => {
                    is_new = false;
                    position.set_last_response_id(&response).await;
                    if let Some(ResponseType::ArrowBatch(batch)) = response.response_type {
                        batches.extend(decoded(&batch)?);
                    }
                    continue;
                }
                Ok(None) if position.is_completed().await => return Ok(batches),
                Ok(None) => SparkError::connect_msg("the answer ends before it is whole"),
                Err(status) => SparkError::from_grpc_status(status),
            };
            if is_new && since.elapsed() < SHORTEST {
                return Err(broken);
            }
            // What is no fault of the connection cannot be gone on with, and the first error says why.
            let Ok(next) = self.0.reattach_execute(position.create_reattach_request().await).await else {
                return Err(broken);
            };
            (stream, since, is_new) = (next, Instant::now(), true);
        }
    }

    /// The names and types of the columns that a statement answers with.
    pub fn columns(&self, sql: &str) -> Result<Vec<(String, Option<Kind>)>> {
        let request = AnalyzePlanRequest {
            session_id: self.0.session_id().to_owned(),
            user_context: Some(UserContext::default()),
            analyze: Some(Analyze::Schema(Schema { plan: Some(plan_of(sql)) })),
            ..AnalyzePlanRequest::default()
        };
        let response = block_on(self.0.analyze_plan(request))?;
        let schema = match response.result {
            Some(analyze_plan_response::Result::Schema(schema)) => schema.schema.and_then(|schema| schema.kind),
            _ => None,
        };
        let Some(Kind::Struct(schema)) = schema else { return Err(SparkError::connect_msg("it names no columns")) };
        Ok(schema.fields.into_iter().map(|field| (field.name, field.data_type.and_then(|found| found.kind))).collect())
    }
}

fn plan_of(sql: &str) -> Plan {
    let sql = Sql { query: sql.to_owned(), ..Sql::default() };
    let common = RelationCommon { plan_id: Some(0), ..RelationCommon::default() };
    let relation = Relation { common: Some(common), rel_type: Some(relation::RelType::Sql(sql)) };
    Plan { op_type: Some(plan::OpType::Root(relation)) }
}

fn decoded(batch: &ArrowBatch) -> Result<Vec<RecordBatch>> {
    let unreadable = |error| SparkError::connect_msg(format!("a batch of the answer cannot be read: {error}"));
    let reader = StreamReader::try_new(Cursor::new(&batch.data), None).map_err(unreadable)?;
    reader.map(|batch| batch.map_err(unreadable)).collect()
}
