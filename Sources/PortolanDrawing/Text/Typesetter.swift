internal import CCairo
package import PortolanGeometry
internal import PortolanMap

/// Sets text in lines, with pango, which shapes letters and finds fonts that have them.
///
/// It has its own fonts, so that several may work at a time; each belongs to one task at a time.
@safe
package final class Typesetter {
  private let fonts: UnsafeMutablePointer<PangoFontMap>
  private let context: OpaquePointer
  let layout: OpaquePointer

  /// `nil` if there is not enough memory.
  package init?() {
    guard let fonts = unsafe pango_cairo_font_map_new(),
      let context = unsafe pango_font_map_create_context(fonts)
    else { return nil }
    unsafe pango_cairo_font_map_set_resolution(OpaquePointer(fonts), 72)
    let options = unsafe cairo_font_options_create()
    unsafe cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    unsafe cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    unsafe cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    unsafe pango_cairo_context_set_font_options(context, options)
    unsafe cairo_font_options_destroy(options)
    guard let layout = unsafe pango_layout_new(context) else { return nil }
    unsafe self.fonts = fonts
    unsafe self.context = context
    unsafe self.layout = layout
  }

  deinit {
    unsafe g_object_unref(UnsafeMutableRawPointer(layout))
    unsafe g_object_unref(UnsafeMutableRawPointer(context))
    unsafe g_object_unref(fonts)
  }

  /// Sets a text; what follows is about it.
  package func set(_ text: String, in style: TextStyle) {
    let text = ShapeableText(text).text.replacing("\0", with: "")
    unsafe pango_layout_set_text(layout, text, Int32(text.utf8.count))
    let font = unsafe pango_font_description_new()
    unsafe pango_font_description_set_family(font, "\(style.family), sans-serif")
    let scale = Double(PANGO_SCALE)
    unsafe pango_font_description_set_absolute_size(font, min(max(style.size, 1), 2000) * scale)
    unsafe pango_font_description_set_weight(
      font, style.isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
    unsafe pango_font_description_set_style(
      font, style.isItalic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL)
    unsafe pango_layout_set_font_description(layout, font)
    unsafe pango_font_description_free(font)
    unsafe pango_layout_set_alignment(layout, style.alignment.value)
    unsafe pango_layout_set_line_spacing(layout, Float(style.lineHeight ?? 0) * 0.85)
    let width = style.maximumWidth.map { Int32(min(max($0, 1), 100_000) * scale) } ?? -1
    unsafe pango_layout_set_width(layout, width)
    unsafe pango_layout_set_wrap(layout, PANGO_WRAP_WORD)
    setAttributes(style)
  }

  private func setAttributes(_ style: TextStyle) {
    let attributes = unsafe pango_attr_list_new()
    if style.letterSpacing != 0 {
      let spacing = Int32(min(max(style.letterSpacing, -100), 100) * Double(PANGO_SCALE))
      unsafe pango_attr_list_insert(attributes, pango_attr_letter_spacing_new(spacing))
    }
    for section in style.sections { unsafe Self.add(section, to: attributes) }
    unsafe pango_layout_set_attributes(layout, attributes)
    unsafe pango_attr_list_unref(attributes)
  }

  private static func add(_ section: TextStyle.Section, to list: OpaquePointer?) {
    let scale = Double(PANGO_SCALE)
    func insert(_ attribute: UnsafeMutablePointer<PangoAttribute>?) {
      unsafe attribute?.pointee.start_index = UInt32(section.bytes.lowerBound)
      unsafe attribute?.pointee.end_index = UInt32(section.bytes.upperBound)
      unsafe pango_attr_list_insert(list, attribute)
    }
    if let isBold = section.isBold {
      unsafe insert(pango_attr_weight_new(isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL))
    }
    if let isItalic = section.isItalic {
      unsafe insert(pango_attr_style_new(isItalic ? PANGO_STYLE_ITALIC : PANGO_STYLE_NORMAL))
    }
    if let isUnderlined = section.isUnderlined {
      unsafe insert(
        pango_attr_underline_new(isUnderlined ? PANGO_UNDERLINE_SINGLE : PANGO_UNDERLINE_NONE))
    }
    if let color = section.color {
      unsafe insert(
        pango_attr_foreground_new(
          UInt16(color.red) * 257, UInt16(color.green) * 257, UInt16(color.blue) * 257))
      unsafe insert(pango_attr_foreground_alpha_new(UInt16(color.alpha) * 257))
    }
    if let family = section.family {
      unsafe insert(pango_attr_family_new("\(family), sans-serif"))
    }
    if let size = section.size {
      unsafe insert(pango_attr_size_new_absolute(Int32(size * scale)))
    }
    if section.rise != 0 {
      unsafe insert(pango_attr_rise_new(Int32(min(max(section.rise, -1000), 1000) * scale)))
    }
  }

  /// The box of the text, from the corner at which it begins; in pixels.
  package var box: Envelope {
    var logical = PangoRectangle()
    unsafe pango_layout_get_pixel_extents(layout, nil, &logical)
    return Envelope(
      xMin: Double(logical.x), yMin: Double(logical.y), xMax: Double(logical.x + logical.width),
      yMax: Double(logical.y + logical.height))
  }

  /// The boxes of the lines of the text, from the corner at which it begins; in pixels.
  var lineBoxes: [Envelope] {
    guard let lines = unsafe pango_layout_get_iter(layout) else { return [] }
    defer { unsafe pango_layout_iter_free(lines) }
    var boxes: [Envelope] = []
    let scale = Double(PANGO_SCALE)
    repeat {
      var logical = PangoRectangle()
      unsafe pango_layout_iter_get_line_extents(lines, nil, &logical)
      let (x, y) = (Double(logical.x) / scale, Double(logical.y) / scale)
      boxes.append(
        Envelope(
          xMin: x, yMin: y, xMax: x + Double(logical.width) / scale,
          yMax: y + Double(logical.height) / scale))
    } while unsafe pango_layout_iter_next_line(lines) != 0
    return boxes
  }

  /// The number of its letters that no font on this machine has.
  var unknownGlyphCount: Int { unsafe Int(pango_layout_get_unknown_glyphs_count(layout)) }
}

extension TextStyle.Alignment {
  fileprivate var value: PangoAlignment {
    switch self {
    case .left: PANGO_ALIGN_LEFT
    case .center: PANGO_ALIGN_CENTER
    case .right: PANGO_ALIGN_RIGHT
    }
  }
}
