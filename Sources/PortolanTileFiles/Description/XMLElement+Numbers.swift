internal import PortolanXML

extension XMLElement {
  /// The whole number in the first element called `name` directly inside.
  func int(of name: String) -> Int? { text(of: name).flatMap { Int($0) } }

  /// The finite number in the first element called `name` directly inside.
  func double(of name: String) -> Double? {
    text(of: name).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
  }
}
