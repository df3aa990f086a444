//! Who was shown what they may not see: the results of searches made in the name of a role, held
//! against the roles that each item is open to.

use std::collections::{HashMap, HashSet};

use crate::error::Fault;
use crate::id::Id;
use crate::input::Chunks;
use crate::judged::Grade;
use crate::labels::Labels;
use crate::run::{Call, Row, RunSink};
use crate::stats::power::largest_unseen_share;

/// The results of one query in the name of one role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleList {
    /// The query.
    pub query: Id,
    /// The role; `None` where the run does not say.
    pub role: Option<String>,
    /// The results as they stand in the file, each once: the whole list, for what was returned can
    /// be read at any rank.
    pub items: Vec<Id>,
}

/// Takes the results of a run by query and role. One query may be searched for in the name of
/// several roles, and several times for each.
#[derive(Debug, Clone, Default)]
pub struct RoleLists {
    lists: Vec<RoleList>,
    index: HashMap<(Id, Option<String>), usize>,
    seen: HashSet<(usize, Id)>,
    steps: HashMap<(Id, u32), usize>,
    current: Option<usize>,
}

impl RoleLists {
    /// The lists in the order in which query and role first appear.
    pub fn lists(&self) -> &[RoleList] {
        &self.lists
    }

    fn open(&mut self, query: &[u8], role: Option<&String>) -> usize {
        let key = (Id::from(query), role.cloned());
        let place = *self.index.entry(key.clone()).or_insert_with(|| {
            self.lists.push(RoleList { query: key.0, role: key.1, items: Vec::new() });
            self.lists.len() - 1
        });
        self.current = Some(place);
        place
    }
}

impl RunSink for RoleLists {
    fn row(&mut self, row: &Row<'_>) -> Result<(), Fault> {
        let place = match self.current.filter(|&place| self.lists[place].query.as_bytes() == row.query) {
            Some(place) => place,
            None => self.open(row.query, None),
        };
        let item = Id::from(row.document);
        if self.seen.insert((place, item.clone())) {
            self.lists[place].items.push(item);
        }
        Ok(())
    }

    fn call(&mut self, query: &[u8], call: &Call, _line: u64) -> Result<(), Fault> {
        let place = self.open(query, call.role.as_ref());
        if let Some(step) = call.step {
            self.steps.insert((query.into(), step), place);
        }
        Ok(())
    }

    fn resume(&mut self, query: &[u8], step: u32, _line: u64) -> Result<(), Fault> {
        self.current = self.steps.get(&(query.into(), step)).copied();
        Ok(())
    }

    fn tag(&mut self, _tag: &[u8]) {}

    fn is_empty(&self) -> bool {
        self.lists.is_empty()
    }
}

/// What a chunk map says of an item and a role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// The role may see it.
    Allowed,
    /// The role may not.
    Denied,
    /// The map does not say who may.
    Unknown,
}

/// The roles that items are open to, from a chunk map.
#[derive(Debug, Clone)]
pub struct AccessMap<'a> {
    chunks: &'a Chunks,
    documents: HashMap<&'a Id, Vec<&'a Id>>,
}

impl<'a> AccessMap<'a> {
    /// The map of a collection.
    pub fn new(chunks: &'a Chunks) -> Self {
        let mut documents: HashMap<&Id, Vec<&Id>> = HashMap::new();
        for chunk in chunks.iter() {
            if let Some(document) = chunk.place.document.as_ref().filter(|document| **document != chunk.id) {
                documents.entry(document).or_default().push(&chunk.id);
            }
        }
        Self { chunks, documents }
    }

    /// Whether a role may see an item. An id that is no chunk but a document of chunks is open to
    /// those who may see all of its chunks.
    pub fn access(&self, item: &Id, role: &str) -> Access {
        if let Some(chunk) = self.chunks.chunk(item) {
            return match &chunk.allowed_roles {
                Some(roles) if roles.iter().any(|allowed| allowed == role) => Access::Allowed,
                Some(_) => Access::Denied,
                None => Access::Unknown,
            };
        }
        let parts = self.documents.get(item).map(Vec::as_slice).unwrap_or_default();
        let found: Vec<Access> = parts.iter().map(|chunk| self.access(chunk, role)).collect();
        match () {
            () if found.contains(&Access::Denied) => Access::Denied,
            () if found.is_empty() || found.contains(&Access::Unknown) => Access::Unknown,
            () => Access::Allowed,
        }
    }

    /// Whether any chunk is open to a role.
    pub fn knows_role(&self, role: &str) -> bool {
        let mut roles = self.chunks.iter().filter_map(|chunk| chunk.allowed_roles.as_ref());
        roles.any(|roles| roles.iter().any(|allowed| allowed == role))
    }

    /// Number of chunks that no roles are given for.
    pub fn without_roles(&self) -> u64 {
        self.chunks.iter().filter(|chunk| chunk.allowed_roles.is_none()).count() as u64
    }
}

/// An item in the results of a query, in the name of a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The query.
    pub query: Id,
    /// The role.
    pub role: String,
    /// The item.
    pub item: Id,
}

/// What one role was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoleReport {
    /// The role.
    pub role: String,
    /// Whether any chunk is open to it: a role that none is open to may be a misspelt one.
    pub is_known: bool,
    /// Number of queries that were searched for in its name.
    pub queries: u64,
    /// Number of items shown to it whose roles are known.
    pub checked: u64,
    /// Items shown to it that it may not see.
    pub leaks: Vec<Shown>,
    /// Items shown to it whose roles nobody knows.
    pub unknown: Vec<Shown>,
    /// Number of its relevant items: those that it may see.
    pub relevant: u64,
    /// Relevant items that it may see and that were not shown to it.
    pub withheld: Vec<Shown>,
    /// Those among them that the search before the filter had found: the filter removed them.
    /// `None` without that search.
    pub removed: Option<Vec<Shown>>,
    /// Queries with relevant items of which the role may see none: for it they cannot be answered.
    pub unanswerable: Vec<Id>,
}

/// What a run showed to whom.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AccessReport {
    /// A report per role, in the order in which they first appear.
    pub roles: Vec<RoleReport>,
    /// Queries whose rows do not say for whom they searched: nothing can be checked there.
    pub without_role: Vec<Id>,
}

impl AccessReport {
    /// Number of items shown that were checked, over all roles.
    pub fn checked(&self) -> u64 {
        self.roles.iter().map(|role| role.checked).sum()
    }

    /// Every leak.
    pub fn leaks(&self) -> impl Iterator<Item = &Shown> {
        self.roles.iter().flat_map(|role| &role.leaks)
    }

    /// Every item whose roles nobody knows.
    pub fn unknown(&self) -> impl Iterator<Item = &Shown> {
        self.roles.iter().flat_map(|role| &role.unknown)
    }

    /// Number of queries with a leak.
    pub fn leaking_queries(&self) -> u64 {
        self.leaks().map(|leak| &leak.query).collect::<HashSet<_>>().len() as u64
    }

    /// With no leak among those checked, the share of leaks is below this with 95 % confidence:
    /// 1 - 0.05^(1/n). `None` where there is a leak, or nothing was checked.
    pub fn upper_bound(&self) -> Option<f64> {
        let has_leak = self.leaks().next().is_some();
        largest_unseen_share(self.checked(), 0.95).filter(|_| !has_leak)
    }
}

/// What is held against the results of a run.
#[derive(Debug, Clone, Copy)]
pub struct Question<'a> {
    /// The labels: which items are relevant.
    pub labels: &'a Labels,
    /// Grade from which an item is relevant.
    pub rel: Grade,
    /// Who may see what.
    pub access: &'a AccessMap<'a>,
    /// The results of the same searches before the filter, where they are known.
    pub unfiltered: Option<&'a RoleLists>,
}

/// Checks what a run showed to whom.
pub fn check(run: &RoleLists, question: &Question<'_>) -> AccessReport {
    let mut report = AccessReport::default();
    for list in run.lists() {
        let Some(role) = &list.role else {
            report.without_role.push(list.query.clone());
            continue;
        };
        let place = report.roles.iter().position(|known| known.role == *role).unwrap_or_else(|| {
            report.roles.push(question.role(role));
            report.roles.len() - 1
        });
        question.take(list, &mut report.roles[place]);
    }
    report
}

impl Question<'_> {
    /// The report of a role without any search.
    fn role(&self, role: &str) -> RoleReport {
        RoleReport {
            role: role.to_owned(),
            is_known: self.access.knows_role(role),
            queries: 0,
            checked: 0,
            leaks: Vec::new(),
            unknown: Vec::new(),
            relevant: 0,
            withheld: Vec::new(),
            removed: self.unfiltered.map(|_| Vec::new()),
            unanswerable: Vec::new(),
        }
    }

    fn take(&self, list: &RoleList, report: &mut RoleReport) {
        let shown = |item: &Id| Shown { query: list.query.clone(), role: report.role.clone(), item: item.clone() };
        report.queries += 1;
        for item in &list.items {
            match self.access.access(item, &report.role) {
                Access::Unknown => report.unknown.push(shown(item)),
                access => {
                    report.checked += 1;
                    report.leaks.extend((access == Access::Denied).then(|| shown(item)));
                }
            }
        }
        let relevant = self.relevant(&list.query);
        let allowed = relevant.iter().filter(|item| self.access.access(item, &report.role) == Access::Allowed);
        let allowed: Vec<&Id> = allowed.collect();
        if allowed.is_empty() && !relevant.is_empty() {
            report.unanswerable.push(list.query.clone());
        }
        let returned: HashSet<&Id> = list.items.iter().collect();
        let withheld: Vec<Shown> =
            allowed.iter().filter(|item| !returned.contains(**item)).map(|item| shown(item)).collect();
        if let (Some(removed), Some(before)) = (&mut report.removed, self.unfiltered) {
            let found = before.lists().iter().filter(|before| before.query == list.query);
            let found: HashSet<&Id> = found.flat_map(|before| &before.items).collect();
            removed.extend(withheld.iter().filter(|withheld| found.contains(&withheld.item)).cloned());
        }
        report.relevant += allowed.len() as u64;
        report.withheld.extend(withheld);
    }

    fn relevant(&self, query: &Id) -> Vec<Id> {
        let Some(labels) = self.labels.query(query) else { return Vec::new() };
        labels.judgments().filter(|&(_, grade)| grade >= self.rel).map(|(item, _)| item.into()).collect()
    }
}
