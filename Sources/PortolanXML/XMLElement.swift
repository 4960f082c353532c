/// An element of an XML document with what it contains.
///
/// Names are local: prefixes and namespaces are dropped, since the formats read here do not
/// depend on them.
public struct XMLElement: Hashable, Sendable {
  /// The local name.
  public var name: String
  /// The attributes, by local name.
  public var attributes: [String: String]
  /// The elements directly inside, in order.
  public var children: [XMLElement]
  /// The text directly inside, joined, without blanks at both ends.
  public var text: String

  /// Creates an element.
  public init(
    _ name: String, attributes: [String: String] = [:], children: [XMLElement] = [],
    text: String = ""
  ) {
    self.name = name
    self.attributes = attributes
    self.children = children
    self.text = text
  }

  /// The first element directly inside that is called `name`, without case.
  public func child(_ name: String) -> XMLElement? {
    children.first { $0.name.lowercased() == name.lowercased() }
  }

  /// The element at the end of a way down, a name a step.
  public func descendant(_ names: String...) -> XMLElement? {
    names.reduce(self as XMLElement?) { element, name in element?.child(name) }
  }

  /// The text of the first element called `name` directly inside, unless it is empty.
  public func text(of name: String) -> String? {
    child(name).flatMap { $0.text.isEmpty ? nil : $0.text }
  }

  /// All elements called `name` inside, at any depth, in document order.
  public func descendants(named name: String) -> [XMLElement] {
    children.flatMap { child in
      (child.name == name ? [child] : []) + child.descendants(named: name)
    }
  }
}
