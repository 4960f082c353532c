internal import PortolanFeatures

extension AttributeValue {
  /// Whether it is a number beyond all others, which texts have no digits for; what is no number is no value.
  var isInfinite: Bool { if case .double(let number) = self { number.isInfinite } else { false } }
}
