// The svhn converter: house numbers of Street View, as whole images with boxes
// (format 1, SvhnNumbers.cpp) or as single digits (format 2, SvhnDigits.cpp).
#include "fuel/Converters/Svhn.h"

#include "fuel/Converters/BuiltIn.h"

namespace fuel {

Converter svhnConverter() {
  Converter converter;
  converter.name = "svhn";
  converter.outputName = "svhn_format_N";
  converter.summary = "Street View house numbers";
  converter.files = {"train.tar.gz, test.tar.gz, extra.tar.gz (format 1)",
                     "train_32x32.mat, test_32x32.mat, extra_32x32.mat "
                     "(format 2)"};
  ConverterOption format{"which_format",
                         "1: whole numbers with boxes around their digits; 2: "
                         "single digits of 32x32 pixels"};
  format.positional = format.required = true;
  format.choices = {"1", "2"};
  converter.options = {format};
  converter.convert = [](const ConvertOptions &options) {
    return options.text("which_format") == "1" ? convertSvhnNumbers(options)
                                               : convertSvhnDigits(options);
  };
  return converter;
}

} // namespace fuel
