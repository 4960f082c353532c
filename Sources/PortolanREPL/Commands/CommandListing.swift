internal import PortolanJSON

/// The list of commands under their topics, and the options that all of them take.
struct CommandListing {
  private let declarations: [CommandDeclaration]
  private let family: String?

  /// Lists all commands, or those of a family, which share their first word.
  init(_ declarations: [CommandDeclaration], family: String? = nil) {
    self.declarations = declarations
    self.family = family
  }

  var result: CommandResult {
    CommandResult(
      text: TextDocument(family.map(blocks) ?? blocks),
      json: ["commands": .array(declarations.map(\.json))])
  }

  private func blocks(ofFamily family: String) -> [TextDocument.Block] {
    [
      .line("portolan \(family) …"),
      .paragraph("\"help \(family) …\" explains one of these.", indent: 0),
    ] + ParameterListing.blocks(declarations.map { ($0.name, $0.summary) })
  }

  private var blocks: [TextDocument.Block] {
    var blocks: [TextDocument.Block] = [
      .line("portolan [OPTIONS] [COMMAND ...]"),
      .paragraph(
        "Opens offline maps without a network. Without a command it reads commands from the "
          + "terminal; \"help COMMAND\" explains one.", indent: 0),
    ]
    for topic in Topic.allCases {
      let members = declarations.filter { $0.topic == topic }
      guard !members.isEmpty else { continue }
      blocks += [.blank, .heading(topic.rawValue)]
      blocks += ParameterListing.blocks(members.map { ($0.name, $0.summary) })
    }
    blocks += [.blank, .heading("Options of every command")]
    blocks += ParameterListing.blocks(GlobalOptions.parameters.map { ($0.spelling, $0.summary) })
    return blocks
  }
}

/// Names with their meaning, the meanings below each other.
enum ParameterListing {
  static func blocks(_ rows: [(name: String, summary: String)]) -> [TextDocument.Block] {
    [.entries(rows.map { TextDocument.Field($0.name, $0.summary) })]
  }
}

extension CommandDeclaration {
  /// The declaration for programs.
  var json: JSONValue {
    [
      "name": .string(name), "aliases": .array(aliases.map(JSONValue.string)),
      "summary": .string(summary), "usage": .string(usage),
      "parameters": .array(
        parameters.map { parameter in
          [
            "name": .string(parameter.label), "summary": .string(parameter.summary),
            "required": .bool(parameter.isRequired), "repeatable": .bool(parameter.isRepeatable),
          ]
        }),
    ]
  }
}
