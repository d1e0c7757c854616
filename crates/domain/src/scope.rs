//! What a key is good for.

/// One thing that a key may be good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Seeing jobs.
    Read,
    /// Submitting jobs and taking them on.
    Generate,
    /// Seeing what is billed.
    Usage,
}

/// What a key is good for; a new key, for everything.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scopes(u8);

/// A text that is not a list of scopes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a scope: there are read, generate and usage")]
pub struct NotAScope(String);

impl Scope {
    /// Every scope.
    pub const ALL: [Scope; 3] = [Scope::Read, Scope::Generate, Scope::Usage];

    /// The name on the command line and in the store.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Generate => "generate",
            Scope::Usage => "usage",
        }
    }
}

impl Scopes {
    /// Every scope.
    pub const ALL: Scopes = Scopes(0b111);

    /// Whether `scope` is among them.
    #[must_use]
    pub const fn allow(self, scope: Scope) -> bool {
        self.0 & (1 << scope as u8) != 0
    }
}

impl std::str::FromStr for Scopes {
    type Err = NotAScope;

    /// Reads names with commas between them; at least one.
    fn from_str(text: &str) -> Result<Self, NotAScope> {
        let mut scopes = Scopes(0);
        for name in text.split(',').map(str::trim) {
            let scope = Scope::ALL.into_iter().find(|scope| scope.as_str() == name);
            scopes.0 |= 1 << scope.ok_or_else(|| NotAScope(name.to_owned()))? as u8;
        }
        Ok(scopes)
    }
}

impl std::fmt::Display for Scopes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = Scope::ALL.into_iter().filter(|scope| self.allow(*scope)).map(Scope::as_str).collect();
        f.write_str(&names.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_written_and_read_back() {
        let scopes: Scopes = "usage, read".parse().unwrap();
        assert!(scopes.allow(Scope::Read) && scopes.allow(Scope::Usage) && !scopes.allow(Scope::Generate));
        assert_eq!(scopes.to_string(), "read,usage");
        assert_eq!(scopes.to_string().parse(), Ok(scopes));
        assert_eq!(Scopes::ALL.to_string(), "read,generate,usage");
        for wrong in ["", "admin", "read,", "READ"] {
            assert!(wrong.parse::<Scopes>().is_err(), "{wrong}");
        }
    }
}
