internal import PortolanApp

/// The forms that pages have open, each with a number of its own: a browser may show several pages.
struct OpenForms {
  /// A form, the key of its layer, and whose it is.
  struct Form {
    let model: FeatureFormModel
    let layer: String
    let browser: String
    /// The number of the map that it is of.
    let opening: Int
    /// The number of the question whose answer its page showed, if it showed one.
    let question: Int64?
  }

  /// The forms of a browser that are kept; pages that were closed have left theirs.
  private static let mostOfBrowser = 16

  private var forms: [Int64: Form] = [:]
  private var last: Int64 = 0

  /// Adds a form, and forgets those of maps that are not open any more.
  ///
  /// - Returns: Its number.
  mutating func add(_ form: Form) -> Int64 {
    forms = forms.filter { $0.value.opening == form.opening }
    let own = forms.filter { $0.value.browser == form.browser }.keys.sorted()
    for number in own.dropLast(Self.mostOfBrowser - 1) { forms[number] = nil }
    last += 1
    forms[last] = form
    return last
  }

  /// A form of a browser, of the map that is open.
  ///
  /// - Throws: An absence if it is none, or is not open any more.
  func form(_ number: Int64, of browser: String, opening: Int) throws(Problem) -> Form {
    guard let form = forms[number], form.browser == browser, form.opening == opening else {
      throw Problem(
        message: "The form is no longer open.", suggestion: "Open it again.", kind: .absence)
    }
    return form
  }

  /// Takes a form away while it is being stored.
  mutating func remove(_ number: Int64) { forms[number] = nil }

  /// Puts a form back that could not be stored.
  mutating func restore(_ number: Int64, _ form: Form) { forms[number] = form }
}
