extension String {
  /// A sentence on its way into another one.
  var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
