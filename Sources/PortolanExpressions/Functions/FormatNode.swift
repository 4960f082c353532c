internal import PortolanJSON

/// A text in sections of different looks.
struct FormatNode: ExpressionNode {
  struct Section: Sendable {
    var content: any ExpressionNode
    var scale: (any ExpressionNode)?
    var fonts: (any ExpressionNode)?
    var color: (any ExpressionNode)?
    var alignment: (any ExpressionNode)?
  }

  private static let alignments: Set<String> = ["bottom", "center", "top"]

  let sections: [Section]
  let type = ExpressionType.formatted

  var children: [any ExpressionNode] {
    sections.flatMap {
      [$0.content] + [$0.scale, $0.fonts, $0.color, $0.alignment].compactMap(\.self)
    }
  }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 1...Int.max) else { return nil }
    var sections: [Section] = []
    var mayHaveOptions = false
    for (index, json) in list.enumerated().dropFirst() {
      if let options = json.object {
        guard mayHaveOptions, let last = sections.indices.last else {
          return context.fail("Options stand behind the section of \"format\" that they are of.")
        }
        guard read(options, at: index, into: &sections[last], context) else { return nil }
        mayHaveOptions = false
        continue
      }
      guard let content = context.parse(json, at: index, as: .value) else { return nil }
      switch content.type {
      case .string, .value, .null, .resolvedImage: sections.append(Section(content: content))
      default: return context.fail("A section of \"format\" is a text or an image.")
      }
      mayHaveOptions = true
    }
    return FormatNode(sections: sections)
  }

  private static func read(
    _ options: JSONObject, at index: Int, into section: inout Section, _ context: ParsingContext
  ) -> Bool {
    func option(
      _ name: String, _ type: ExpressionType, _ node: inout (any ExpressionNode)?
    ) -> Bool {
      // As in MapLibre null, nothing and zero count as no option.
      guard let json = options[name], StyleValue(json).isTrue else { return true }
      node = context.parse(json, at: index, as: type)
      return node != nil
    }
    if let name = options["vertical-align"]?.string, !name.isEmpty, !alignments.contains(name) {
      context.note("\"vertical-align\" is bottom, center or top.")
      return false
    }
    return option("font-scale", .number, &section.scale)
      && option("text-font", .array(.string, nil), &section.fonts)
      && option("text-color", .color, &section.color)
      && option("vertical-align", .string, &section.alignment)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    var parts: [FormattedText.Section] = []
    for section in sections {
      let content = try section.content.value(context)
      var part = FormattedText.Section(text: content.text)
      if case .image(let image) = content {
        // Icons have neither letters nor their color, and are as large as they are.
        part = FormattedText.Section(text: "", image: image)
      } else {
        part.scale = try section.scale?.value(context).number
        part.fontStack = try section.fonts?.value(context).list?.map(\.text).joined(separator: ",")
        if case .color(let color)? = try section.color?.value(context) { part.color = color }
      }
      if let alignment = try section.alignment?.value(context).string {
        guard Self.alignments.contains(alignment) else {
          throw EvaluationFault("\"vertical-align\" is bottom, center or top.")
        }
        part.verticalAlignment = alignment
      }
      parts.append(part)
    }
    return .formatted(FormattedText(sections: parts))
  }
}

/// An icon of the style.
struct ImageNode: ExpressionNode {
  let name: any ExpressionNode
  let type = ExpressionType.resolvedImage

  var children: [any ExpressionNode] { [name] }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 1...1) else { return nil }
    guard let name = context.parse(list[1], at: 1, as: .string) else {
      return context.fail("\"image\" takes the name of an icon.")
    }
    return ImageNode(name: name)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    let name = try name.value(context).text
    guard !name.isEmpty else { return .null }
    return .image(
      ResolvedImage(name: name, isAvailable: context.availableImages?.contains(name) ?? false))
  }
}

/// A value that the app has set for the whole style (`global-state`).
struct GlobalStateNode: ExpressionNode {
  let name: String
  let type = ExpressionType.value

  var dependency: ExpressionDependency { .environment }

  static func parse(_ list: [JSONValue], _ context: ParsingContext) -> (any ExpressionNode)? {
    guard context.hasArguments(list, 1...1) else { return nil }
    guard let name = list[1].string else {
      return context.fail("\"global-state\" takes a name.", at: 1)
    }
    return GlobalStateNode(name: name)
  }

  func value(_ context: EvaluationContext) throws(EvaluationFault) -> StyleValue {
    context.globalState.value(named: name).map(StyleValue.init) ?? .null
  }
}
