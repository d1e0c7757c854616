//! Nested lists of indices.

use serde::de::SeqAccess;

use super::budget::Budget;
use super::lenient::{Lenient, Scalar, Shape};

/// An index that is `null`.
pub(super) const NULL: u32 = u32::MAX;
/// An index that is no index.
pub(super) const BAD: u32 = u32::MAX - 1;

/// A nested list. The innermost lists hold indices.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    Index(u32),
    Ring(Vec<u32>),
    List(Vec<Node>),
}

impl Default for Node {
    fn default() -> Self {
        Self::Index(BAD)
    }
}

pub(super) struct NodeShape<'a>(pub(super) &'a Budget);

impl<'de> Shape<'de> for NodeShape<'_> {
    type Output = Node;

    fn scalar(self, scalar: Scalar) -> Node {
        self.0.spend();
        Node::Index(match scalar {
            Scalar::Null => NULL,
            Scalar::Number(number) if number >= 0.0 && number < f64::from(BAD) && number.fract() == 0.0 => {
                number as u32
            }
            _ => BAD,
        })
    }

    fn seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let (mut ring, mut list) = (Vec::new(), Vec::new());
        let kept = self.0.spend();
        while let Some(node) = seq.next_element_seed(Lenient(NodeShape(self.0)))? {
            match node {
                _ if !kept || self.0.exhausted() => {}
                Node::Index(index) if list.is_empty() => ring.push(index),
                node => {
                    list.extend(ring.drain(..).map(Node::Index));
                    list.push(node);
                }
            }
        }
        Ok(if list.is_empty() { Node::Ring(ring) } else { Node::List(list) })
    }
}
