internal import PortolanJSON

/// Everything there is to say about one command.
struct CommandManual {
  private let declaration: CommandDeclaration
  private let family: [CommandDeclaration]

  /// Explains a command, and lists those whose names begin with its name.
  init(_ declaration: CommandDeclaration, family: [CommandDeclaration] = []) {
    self.declaration = declaration
    self.family = family
  }

  var result: CommandResult {
    CommandResult(text: TextDocument(blocks), json: json)
  }

  private var blocks: [TextDocument.Block] {
    var blocks: [TextDocument.Block] = [
      .paragraph(declaration.usage, indent: 0), .blank, .paragraph(declaration.summary, indent: 0),
    ]
    for paragraph in declaration.discussion {
      blocks += [.blank, .paragraph(paragraph, indent: 0)]
    }
    if !declaration.aliases.isEmpty {
      blocks += [.blank, .line("Also called: \(declaration.aliases.joined(separator: ", "))")]
    }
    blocks += section("Arguments", of: declaration.arguments)
    blocks += section("Options", of: declaration.options)
    if !family.isEmpty {
      blocks += [.blank, .heading("See also")]
      blocks += ParameterListing.blocks(family.map { ($0.name, $0.summary) })
    }
    if !declaration.examples.isEmpty {
      blocks += [.blank, .heading("Examples")]
      for example in declaration.examples {
        blocks += [.line("  \(example.line)"), .paragraph(example.summary, indent: 6)]
      }
    }
    return blocks
  }

  private func section(_ title: String, of parameters: [Parameter]) -> [TextDocument.Block] {
    guard !parameters.isEmpty else { return [] }
    return [.blank, .heading(title)]
      + ParameterListing.blocks(parameters.map { ($0.spelling, $0.summary) })
  }

  private var json: JSONValue {
    guard var members = declaration.json.object else { return declaration.json }
    members["discussion"] = .array(declaration.discussion.map(JSONValue.string))
    members["examples"] = .array(
      declaration.examples.map {
        ["line": .string($0.line), "summary": .string($0.summary)]
      })
    return .object(members)
  }
}
