//! One file per task.
mod boundary;
mod demo;
mod furniture;
mod import;
mod job;
mod machine;
mod place;
mod room;

use aerie_engine_api::messages::{Message, Task};
use aerie_engine_api::{SAMPLE_ADDRESSES, SampleTown};
use serde::Serialize;

/// Does a task; the result is the last message.
pub(crate) fn run(task: Task, is_confined: bool) -> anyhow::Result<Message> {
    match task {
        Task::Job(job) => Ok(job::run(&job)),
        Task::CheckMachine => answer(&machine::check()),
        Task::ReadFurniture { folder, thumbnails } => answer(&furniture::read(&folder, thumbnails.as_deref())?),
        Task::MeasureBoundary(drawn) => answer(&boundary::run(&drawn, is_confined)?),
        Task::InspectRoom { image, overlay } => answer(&room::inspect(&image, overlay.as_deref())?),
        Task::Geocode(sought) => answer(&place::locate(&sought)?.found),
        Task::InspectPlace { sought, radius } => answer(&place::inspect(&sought, radius)?),
        Task::Import(import) => answer(&import::run(&import)?),
        Task::BuildSampleTown { data_dir } => {
            let folder = aerie_sample_town::build_if_missing(&data_dir)?;
            answer(&SampleTown { folder, example_address: SAMPLE_ADDRESSES[0].to_owned() })
        }
        Task::ImagineRoom { file } => answer(&std::fs::write(file, demo::dark_room())?),
        Task::DrawBoundary { picture, corners, file } => {
            let drawn = demo::with_boundary(&std::fs::read(picture)?, &corners)?;
            answer(&std::fs::write(file, drawn)?)
        }
    }
}

fn answer(value: &impl Serialize) -> anyhow::Result<Message> {
    Ok(Message::Answer(serde_json::to_value(value)?))
}
