//! Scopes of keys.

/// A scope.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Read jobs.
    Read,
    /// Submit and continue jobs.
    Generate,
    /// Read usage.
    Usage,
}

/// The scopes of a key. A new key has all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scopes(u8);

/// A text that is not a list of scopes.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a scope; use read, generate or usage")]
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

    /// Whether `scope` is included.
    #[must_use]
    pub const fn allow(self, scope: Scope) -> bool {
        self.0 & (1 << scope as u8) != 0
    }
}

impl std::str::FromStr for Scopes {
    type Err = NotAScope;

    /// Parses one or more comma-separated names.
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
    fn scopes_are_formatted_and_parsed() {
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
