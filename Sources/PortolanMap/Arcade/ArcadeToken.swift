/// A word of Arcade, and its position.
struct ArcadeToken: Sendable {
  enum Kind: Sendable, Equatable {
    case number(Double)
    case text(String)
    /// A template literal: texts and the tokens of expressions in turn.
    case template([Part])
    /// A name or a keyword, as written; `$feature` with its dollar sign.
    case name(String)
    case symbol(String)
    case end
  }

  enum Part: Sendable, Equatable {
    case text(String)
    case tokens([ArcadeToken])
  }

  let kind: Kind
  /// The offset of the token, in Unicode scalars.
  let offset: Int
  /// Whether it is on a new line, which ends a statement as a semicolon does.
  let followsNewLine: Bool
}

extension ArcadeToken: Equatable {}
