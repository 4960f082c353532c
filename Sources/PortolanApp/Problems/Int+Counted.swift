extension Int {
  /// The number that people give to something at this index, counting from 1.
  ///
  /// Indices that nothing has may be of any size when problems name them.
  var counted: Int { self == .max ? self : self + 1 }

  /// A sentence with the valid numbers for so many things, at least one.
  var choiceOfNumbers: String { self == 1 ? "There is only one." : "Choose one from 1 to \(self)." }
}
