//! Scenes as lives: what each node is, from which frame on.

use super::text::{escaped, pieces};
use crate::scene::{Anchor, Node};

/// How many fields of a node are numbers.
pub const NUMBERS: usize = 5;
/// How many are texts.
pub const TEXTS: usize = 11;

/// One state of a node, without its key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// x, y, w, h and rx, in tenths of a px.
    pub numbers: [i64; NUMBERS],
    /// parent, kind, class, d, anchor, spans, role, label, enter, from and exit; "" where it has none.
    pub texts: [String; TEXTS],
}

impl State {
    fn of(node: &Node) -> State {
        let anchor = match node.anchor {
            Anchor::Start => "",
            anchor => anchor.name(),
        };
        State {
            numbers: [node.x, node.y, node.w, node.h, node.rx].map(i64::from),
            texts: [
                escaped(&node.parent),
                node.kind.name().to_string(),
                node.class.to_string(),
                node.d.clone(),
                anchor.to_string(),
                pieces(node.spans.iter().map(|span| (span.text.as_str(), span.class))),
                node.role.map_or("", |role| role.name()).to_string(),
                escaped(&node.label),
                node.enter.map_or("", |enter| enter.name()).to_string(),
                escaped(&node.from),
                if node.fades { "fade" } else { "" }.to_string(),
            ],
        }
    }
}

/// What becomes of one node over all frames.
#[derive(Debug)]
pub struct Life {
    /// Its key.
    pub key: String,
    /// The frames in which something happens to it, each with its new state, or none where it leaves.
    pub events: Vec<(usize, Option<State>)>,
}

/// The lives of all nodes in an order that is the paint order of every frame. A node that changes its place in that order
/// has more than one life.
pub fn lives<'a>(frames: impl Iterator<Item = &'a [Node]>) -> Vec<Life> {
    let mut lives: Vec<Life> = Vec::new();
    for (frame, nodes) in frames.enumerate() {
        let mut present = vec![false; lives.len()];
        let mut next = 0;
        for node in nodes {
            let known = lives[next..].iter().position(|life| life.key == node.key);
            let place = match known {
                Some(distance) => next + distance,
                None => {
                    lives.insert(
                        next,
                        Life {
                            key: node.key.clone(),
                            events: Vec::new(),
                        },
                    );
                    present.insert(next, false);
                    next
                }
            };
            let (life, state) = (&mut lives[place], State::of(node));
            if life.events.last().and_then(|(_, before)| before.as_ref()) != Some(&state) {
                life.events.push((frame, Some(state)));
            }
            present[place] = true;
            next = place + 1;
        }
        for (life, present) in lives.iter_mut().zip(present) {
            if !present && matches!(life.events.last(), Some((_, Some(_)))) {
                life.events.push((frame, None));
            }
        }
    }
    lives
}

#[cfg(test)]
mod tests {
    use super::lives;
    use crate::scene::Node;

    fn nodes(keys: &str) -> Vec<Node> {
        let node = |key: char| Node {
            key: key.to_string(),
            ..Node::default()
        };
        keys.chars().map(node).collect()
    }

    /// The frames again, as their keys.
    fn again(frames: &[&str]) -> (usize, Vec<String>) {
        let frames: Vec<Vec<Node>> = frames.iter().map(|keys| nodes(keys)).collect();
        let lives = lives(frames.iter().map(Vec::as_slice));
        let shown = |frame: usize| {
            let there = lives.iter().filter(|life| {
                let last = life.events.iter().rfind(|(from, _)| *from <= frame);
                last.is_some_and(|(_, state)| state.is_some())
            });
            there.map(|life| life.key.as_str()).collect()
        };
        (lives.len(), (0..frames.len()).map(shown).collect())
    }

    #[test]
    fn nodes_come_and_go_in_paint_order() {
        for frames in [
            ["abc", "axbc", "xc", "abxc"],
            ["", "ab", "", "ab"],
            ["abc", "cab", "bca", "acb"],
        ] {
            assert_eq!(again(&frames).1, frames);
        }
        assert_eq!(
            again(&["abc", "ac", "abc"]).0,
            3,
            "a node that comes back goes on with its life"
        );
        assert_eq!(again(&["ab", "ba"]).0, 3, "one that changes places begins another");
    }
}
