//! What is compared: a scenario's text, or random operations.

use partition_log::PartitionState;
use partition_log::rules::validate::AppendOrigin;
use partition_story::{InputValues, Story, parse};
use partition_trace::{Played, Player, Request, Turn, of_story};

use super::random::{Feature, Operations, scenario};
use super::shrink::shortest;

/// Something to be done to both sides.
#[derive(Clone, Debug)]
pub enum Case {
    /// A scenario, line by line.
    Scenario(Vec<String>),
    /// Operations; the first creates the partition.
    Operations(Vec<Turn>),
}

impl Case {
    /// A scenario.
    pub fn scenario(text: &str) -> Case {
        Case::Scenario(text.lines().map(str::to_string).collect())
    }

    /// Operations, one JSON object a line, as [`Case::text`] tells them.
    ///
    /// # Errors
    ///
    /// A line is none.
    pub fn operations(text: &str) -> serde_json::Result<Case> {
        let turns = text
            .lines()
            .map(serde_json::from_str)
            .collect::<serde_json::Result<_>>()?;
        Ok(Case::Operations(turns))
    }

    /// The random scenario of a seed.
    pub fn random_scenario(seed: u64) -> Case {
        Case::scenario(&scenario(seed))
    }

    /// The random operations of a seed, one feature in all of them.
    pub fn random_operations(seed: u64, within: &[Feature], always: Option<Feature>) -> Case {
        let (mut operations, first) = Operations::new(seed, within, always);
        let mut player = Player::new();
        let mut turns = vec![first];
        while let Some(turn) = turns.last() {
            let Some(next) = operations.next(&taken(&mut player, turn).answer) else {
                break;
            };
            turns.push(next);
        }
        Case::Operations(turns)
    }

    /// What the model does with it, or why it cannot be asked of Kafka's log alone.
    pub fn play(&self) -> Result<Vec<Played>, &'static str> {
        match self {
            Case::Scenario(lines) => {
                let refused = |_| "it is refused before it runs";
                let text: String = lines.iter().flat_map(|line| [line.as_str(), "\n"]).collect();
                let scenario = parse(&text).map_err(refused)?;
                let story = Story::run(&scenario, &InputValues::defaults()).map_err(refused)?;
                of_story(&story)
            }
            Case::Operations(turns) => {
                let mut player = Player::new();
                Ok(turns.iter().map(|turn| taken(&mut player, turn)).collect())
            }
        }
    }

    /// How to do it again: the scenario, or the turns as lines of JSON.
    pub fn text(&self, played: &[Played]) -> String {
        match self {
            Case::Scenario(lines) => lines.join("\n"),
            Case::Operations(_) => {
                let lines = played
                    .iter()
                    .filter_map(|played| serde_json::to_string(&played.turn).ok());
                lines.collect::<Vec<String>>().join("\n")
            }
        }
    }

    /// The same with less in it, as long as it fails.
    pub fn shortest<E>(&self, mut fails: impl FnMut(&Case) -> Result<bool, E>) -> Result<Case, E> {
        Ok(match self {
            Case::Scenario(lines) => Case::Scenario(shortest(lines, |lines| fails(&Case::Scenario(lines.to_vec())))?),
            Case::Operations(turns) => {
                let Some((first, rest)) = turns.split_first() else {
                    return Ok(self.clone());
                };
                let with_first = |rest: &[Turn]| Case::Operations([std::slice::from_ref(first), rest].concat());
                with_first(&shortest(rest, |rest| fails(&with_first(rest)))?)
            }
        })
    }
}

/// Lets the model take a random turn.
fn taken(player: &mut Player, turn: &Turn) -> Played {
    let mut turn = turn.clone();
    if player.state().is_some_and(|state| beyond(state, &turn.request)) {
        turn.request = Request::Nothing;
    }
    player.take(turn)
}

/// What Kafka does in a way that the model does not follow, so that it is not asked: it writes below the base of a segment
/// that a refused append had rolled to.
fn beyond(state: &PartitionState, request: &Request) -> bool {
    let Request::Append {
        origin: AppendOrigin::Replication,
        bytes,
        ..
    } = request
    else {
        return false;
    };
    let first = bytes.first_chunk().copied().map(i64::from_be_bytes);
    first.is_some_and(|first| state.active().is_some_and(|active| first < active.get()))
}
