//! What goes wrong with `--by`.

use raglens::scores::slices::UnknownTag;

use super::failure::Failure;
use crate::render::errors::Message;

/// The failure of a tag that there is not.
pub fn unknown_tag(error: &UnknownTag) -> Failure {
    let message = Message::new(error.to_string());
    match error.known.is_empty() {
        true => message.with_help("the labels have no tags at all").into(),
        false => message.with_detail(format!("there are: {}", error.known.join(", "))).into(),
    }
}
