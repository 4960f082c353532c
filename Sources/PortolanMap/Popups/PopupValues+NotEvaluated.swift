extension PopupValues {
  /// The reasons why expressions in the title, in texts and in charts have no value, a sentence
  /// each.
  ///
  /// In a list of fields the reason replaces the value.
  var notEvaluated: [String] {
    ([definition.title] + definition.elements.flatMap(\.texts)).reduce(into: []) { all, text in
      all += notEvaluated(in: text).filter { !all.contains($0) }
    }
  }

  /// The reasons why expressions that a text names have no value, a sentence each.
  func notEvaluated(in template: String) -> [String] {
    var sentences: [String] = []
    _ = TextTemplate.fill(template) { name in
      guard name.lowercased().hasPrefix("expression/") else { return nil }
      let value = value(named: name, field: definition.field(named: name))
      if let reason = value.failure {
        sentences.append("\"\(value.label)\" is left blank: \(reason)")
      }
      return ""
    }
    return sentences
  }
}

extension PopupElement {
  /// The texts of the element that may name expressions.
  fileprivate var texts: [String] {
    switch self {
    case .text(let text): [text]
    case .fields(let list): [list.title, list.summary]
    case .media(let list): [list.title, list.summary] + list.media.flatMap(\.texts)
    case .attachments, .relationship, .expression, .other: []
    }
  }
}

extension PopupMedia {
  /// The texts of a picture or a chart, each of whose values is one.
  fileprivate var texts: [String] {
    let values = fieldNames + [tooltipField].compactMap(\.self)
    return [title, caption, alternativeText, sourceURL, linkURL].compactMap(\.self)
      + (kind == .image ? [] : values.map { "{\($0)}" })
  }
}
